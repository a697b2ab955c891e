// SPDX-License-Identifier: GPL-2.0-only
/* What links files. Names go as places in the file's own table of them, which goes too. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elf_symbols.h"
#include "parser/answer.h"
#include "parser/code.h"

#define NO_NAME UINT32_MAX /* the version of a symbol that has none */

/* A symbol as it is sent. */
struct sent_symbol {
	uint64_t address;  /* of an import its slot */
	uint64_t resolver; /* of an export */
	uint32_t name;
	uint32_t version;
	uint32_t is_elsewhere;
	uint32_t is_default;
};

struct sent_segment {
	uint64_t offset;
	uint64_t size;
	uint64_t memory_size;
	uint64_t address;
	uint64_t executable;
	uint64_t writable;
};

static uint32_t place_of(const struct linkage *linkage, const char *name)
{
	return *name ? (uint32_t)(name - linkage->strings) : NO_NAME;
}

static void put_symbols(struct message *answer, const struct linkage *linkage)
{
	message_put_number(answer, linkage->export_count);
	for (size_t i = 0; i < linkage->export_count; i++) {
		const struct linkage_export *export = &linkage->exports[i];
		const struct sent_symbol sent = {
			.address = export->address,
			.resolver = export->resolver,
			.name = place_of(linkage, export->name),
			.version = place_of(linkage, export->version),
			.is_elsewhere = export->is_elsewhere,
			.is_default = export->is_default,
		};

		message_put(answer, &sent, sizeof(sent));
	}
	message_put_number(answer, linkage->import_count);
	for (size_t i = 0; i < linkage->import_count; i++) {
		const struct linkage_import *import = &linkage->imports[i];
		const struct sent_symbol sent = {
			.address = import->slot,
			.name = place_of(linkage, import->name),
			.version = place_of(linkage, import->version),
		};

		message_put(answer, &sent, sizeof(sent));
	}
}

static void put_segments(struct message *answer, const struct elf_segments *segments)
{
	message_put_number(answer, segments->count);
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *segment = &segments->items[i];
		const struct sent_segment sent = { segment->offset,      segment->size,
						   segment->memory_size, segment->address,
						   segment->executable,  segment->writable };

		message_put(answer, &sent, sizeof(sent));
	}
}

int answer_linkage(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		   struct message *answer)
{
	struct linkage linkage;
	int err = linkage_read(&linkage, files[0]);

	(void)answers;
	(void)question;
	if (!err) {
		message_put_number(answer, linkage.strings_size);
		message_put(answer, linkage.strings, linkage.strings_size);
		message_put_text(answer, linkage.interpreter);
		put_segments(answer, &linkage.segments);
		put_symbols(answer, &linkage);
	}
	linkage_clear(&linkage);
	return err;
}

/* NULL: it is nowhere in the names, or longer than names are. */
static const char *get_name(const struct linkage *linkage, uint32_t place)
{
	const char *name = linkage->strings + place;

	if (place == NO_NAME)
		return "";
	return place < linkage->strings_size && strnlen(name, ELF_NAME_MAX) < ELF_NAME_MAX ? name : NULL;
}

static bool get_symbol(struct message *answer, const struct linkage *linkage, struct sent_symbol *sent,
		       const char **name, const char **version)
{
	message_get(answer, sent, sizeof(*sent));
	*name = get_name(linkage, sent->name);
	*version = get_name(linkage, sent->version);
	return *name && **name && *version;
}

static int get_exports(struct message *answer, struct linkage *linkage)
{
	size_t count = message_get_count(answer, sizeof(struct sent_symbol));

	linkage->exports = calloc(count + 1, sizeof(*linkage->exports));
	if (!linkage->exports)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct linkage_export *export = &linkage->exports[i];
		struct sent_symbol sent;

		if (!get_symbol(answer, linkage, &sent, &export->name, &export->version))
			return -EPROTO;
		export->address = sent.address;
		export->resolver = sent.resolver;
		export->is_elsewhere = sent.is_elsewhere;
		export->is_default = sent.is_default;
		if (!linkage_is_code(linkage, export->address ?: export->resolver))
			return -EPROTO;
		linkage->export_count++;
	}
	return 0;
}

static int get_imports(struct message *answer, struct linkage *linkage)
{
	size_t count = message_get_count(answer, sizeof(struct sent_symbol));

	linkage->imports = calloc(count + 1, sizeof(*linkage->imports));
	if (!linkage->imports)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct linkage_import *import = &linkage->imports[i];
		struct sent_symbol sent;

		if (!get_symbol(answer, linkage, &sent, &import->name, &import->version))
			return -EPROTO;
		import->slot = sent.address;
		linkage->import_count++;
	}
	return 0;
}

/* All of them, and a NUL behind them. */
static int get_strings(struct message *answer, struct linkage *linkage)
{
	size_t size = message_get_count(answer, 1);

	linkage->strings = malloc(size + 1);
	if (!linkage->strings)
		return -ENOMEM;
	message_get(answer, linkage->strings, size);
	linkage->strings[size] = '\0';
	linkage->strings_size = size;
	return 0;
}

static int get_interpreter(struct message *answer, struct linkage *linkage)
{
	const char *interpreter = message_get_text(answer);

	linkage->interpreter = interpreter ? strdup(interpreter) : NULL;
	return interpreter && !linkage->interpreter ? -ENOMEM : 0;
}

static int get_segments(struct message *answer, struct elf_segments *segments)
{
	size_t count = message_get_count(answer, sizeof(struct sent_segment));

	if (count > ELF_SEGMENTS_MAX)
		return -EPROTO;
	segments->items = calloc(count + 1, sizeof(*segments->items));
	if (!segments->items)
		return -ENOMEM;
	while (segments->count < count) {
		struct sent_segment sent;

		message_get(answer, &sent, sizeof(sent));
		segments->items[segments->count++] =
			(struct elf_segment){ sent.offset,  sent.size,       sent.memory_size,
					      sent.address, sent.executable, sent.writable };
	}
	return 0;
}

int parser_read_linkage(struct parser *parser, int fd, struct linkage *linkage)
{
	const int files[CHANNEL_FILES] = { fd, -1 };
	struct message question = { 0 }, answer;
	int err;

	*linkage = (struct linkage){ 0 };
	message_put_number(&question, QUESTION_LINKAGE);
	err = parser_ask(parser, &question, files, &answer);
	if (!err)
		err = get_strings(&answer, linkage);
	if (!err)
		err = get_interpreter(&answer, linkage);
	if (!err)
		err = get_segments(&answer, &linkage->segments);
	if (!err)
		err = get_exports(&answer, linkage);
	if (!err)
		err = get_imports(&answer, linkage);
	if (!err && answer.failed)
		err = -EPROTO;
	message_clear(&question);
	message_clear(&answer);
	return err;
}
