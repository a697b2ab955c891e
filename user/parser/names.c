// SPDX-License-Identifier: GPL-2.0-only
/* Symbols, perf maps and mangled names. */
#include "parser/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/generated_names.h"
#include "elf/demangle.h"
#include "parser/answer.h"
#include "parser/values.h"

int answer_places(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		  struct message *answer)
{
	struct symbols symbols;
	size_t count;
	uint64_t *offsets = message_get_numbers(question, &count);
	int err = offsets ? symbols_read(&symbols, files[0], files[1]) : -ENOMEM;

	(void)answers;
	if (!offsets)
		return err;
	message_put_number(answer, symbols.functions.count > 0);
	for (size_t i = 0; !err && i < count; i++) {
		struct symbol_place place;

		err = symbol_place_find(&symbols, offsets[i], &place);
		message_put_number(answer, place.address);
		message_put_text(answer, place.name);
		free(place.name);
	}
	symbols_clear(&symbols);
	free(offsets);
	return err;
}

int parser_name_places(struct parser *parser, int fd, int debug_fd, const uint64_t *offsets, size_t count,
		       struct symbol_place *places, bool *has_functions)
{
	const int files[CHANNEL_FILES] = { fd, debug_fd };
	struct message question = { 0 }, answer;
	int err;

	message_put_number(&question, QUESTION_PLACES);
	message_put_numbers(&question, offsets, count);
	err = parser_ask(parser, &question, files, &answer);
	memset(places, 0, count * sizeof(*places));
	*has_functions = !err && message_get_number(&answer);
	for (size_t i = 0; !err && i < count; i++) {
		places[i].address = message_get_number(&answer);
		err = message_get_names(&answer, &places[i].name, 1);
	}
	for (size_t i = 0; err && i < count; i++) {
		free(places[i].name);
		places[i].name = NULL;
	}
	message_clear(&question);
	message_clear(&answer);
	return err;
}

int answer_generated(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		     struct message *answer)
{
	struct generated_names map;
	struct generated_name *names;
	size_t count;
	uint64_t *addresses = message_get_numbers(question, &count);
	int err = addresses ? generated_names_read(&map, files[0]) : -ENOMEM;

	(void)answers;
	if (!addresses)
		return err;
	names = calloc(count + 1, sizeof(*names));
	if (!names)
		err = -ENOMEM;
	if (!err)
		err = generated_names_find(&map, addresses, count, names);
	for (size_t i = 0; !err && i < count; i++)
		message_put_part(answer, names[i].text, names[i].length);
	generated_names_clear(&map);
	free(names);
	free(addresses);
	return err;
}

int parser_name_generated(struct parser *parser, int fd, const uint64_t *addresses, size_t count,
			  char **names)
{
	struct message question = { 0 };

	message_put_number(&question, QUESTION_GENERATED);
	message_put_numbers(&question, addresses, count);
	return parser_ask_names(parser, &question, fd, names, count);
}

int answer_demangled(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		     struct message *answer)
{
	size_t count = message_get_count(question, sizeof(uint64_t));

	(void)answers;
	(void)files;
	for (size_t i = 0; i < count && !question->failed && !answer->failed; i++) {
		const char *name = message_get_text(question);
		char *readable = name ? demangle(name) : NULL;

		message_put_text(answer, readable);
		free(readable);
	}
	return 0;
}

int parser_demangle(struct parser *parser, const char *const *names, size_t count, char **readable)
{
	struct message question = { 0 };

	message_put_number(&question, QUESTION_DEMANGLED);
	message_put_number(&question, count);
	for (size_t i = 0; i < count; i++)
		message_put_text(&question, names[i]);
	return parser_ask_names(parser, &question, -1, readable, count);
}
