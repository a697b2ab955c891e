// SPDX-License-Identifier: GPL-2.0-only
/* Texts of others: perf maps, functions' names, commands. An input is which of them, and the text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "code/generated_names.h"
#include "control/control_text.h"
#include "elf/demangle.h"

#define ADDRESSES    64
#define ADDRESS_STEP 0x40
#define LEAST_WIDTH  16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void find_in_map(const char *text, size_t size)
{
	struct generated_names map = { .text = malloc(size + 1), .size = size };
	uint64_t addresses[ADDRESSES];
	struct generated_name names[ADDRESSES];

	if (!map.text)
		abort();
	memcpy(map.text, text, size);
	for (size_t i = 0; i < ADDRESSES; i++)
		addresses[i] = i * ADDRESS_STEP;
	if (generated_names_find(&map, addresses, ADDRESSES, names))
		abort();
	for (size_t i = 0; i < ADDRESSES; i++) {
		const struct generated_name *name = &names[i];

		if (name->text &&
		    (name->text < map.text || name->length > (size_t)(map.text + size - name->text) ||
		     memchr(name->text, '\n', name->length)))
			abort();
	}
	generated_names_clear(&map);
}

/* What a terminal would obey is not in it, and each escape is whole. */
static void check_escaped(const char *escaped)
{
	static const char digits[] = "0123456789abcdef";

	for (; *escaped; escaped++) {
		if ((unsigned char)*escaped < ' ' || (unsigned char)*escaped >= 0x7f)
			abort();
		if (*escaped == '\\' && (escaped[1] != 'x' || strspn(escaped + 2, digits) < 2))
			abort();
	}
}

static void show_name(const char *text, size_t size)
{
	char *name = strndup(text, size), *escaped = malloc(ESCAPE_FACTOR * size + 1);
	size_t width = LEAST_WIDTH + size % LEAST_WIDTH;

	if (!name || !escaped)
		abort();
	check_escaped(escape_text(text, size, escaped));
	escape_shorten(escaped, width);
	check_escaped(escaped);
	if (strlen(escaped) > width)
		abort();
	free(demangle(name));
	free(escaped);
	free(name);
}

static void obey(const char *text, size_t size)
{
	struct control_command command;
	struct control_text control = { 0 };

	while (size) {
		size_t room, part;
		char *into = control_text_room(&control, &room);

		part = size < room ? size : room;
		if (!part)
			abort();
		memcpy(into, text, part);
		control_text_add(&control, part);
		text += part;
		size -= part;
		while (control_text_take(&control, &command)) {
			if (command.verb > CONTROL_TOO_LONG || !memchr(command.text, 0, sizeof(command.text)))
				abort();
		}
	}
}

static void (*const readers[])(const char *text, size_t size) = { find_in_map, show_name, obey };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		readers[*data % ARRAY_SIZE(readers)]((const char *)data + 1, size - 1);
	return 0;
}
