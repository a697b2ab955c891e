// SPDX-License-Identifier: GPL-2.0-only
/* Lists of numbers and of names in messages. */
#include "parser/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is made of a name of ELF_NAME_MAX bytes: demangled it is no longer, and a place within a variable has a number behind it. */
#define NAME_BYTES_MAX 8192

void message_put_numbers(struct message *message, const uint64_t *numbers, size_t count)
{
	message_put_number(message, count);
	message_put(message, numbers, count * sizeof(*numbers));
}

uint64_t *message_get_numbers(struct message *message, size_t *count)
{
	uint64_t *numbers;

	*count = message_get_count(message, sizeof(*numbers));
	numbers = calloc(*count + 1, sizeof(*numbers));
	if (numbers)
		message_get(message, numbers, *count * sizeof(*numbers));
	return numbers;
}

static int get_name(struct message *message, char **name)
{
	const char *text = message_get_text(message);

	*name = NULL;
	if (message->failed)
		return -EPROTO;
	if (!text)
		return 0;
	if (strlen(text) > NAME_BYTES_MAX)
		return -EPROTO;
	*name = strdup(text);
	return *name ? 0 : -ENOMEM;
}

int message_get_names(struct message *message, char **names, size_t count)
{
	size_t got = 0;
	int err = 0;

	while (!err && got < count)
		err = get_name(message, &names[got++]);
	if (!err)
		return 0;
	while (got)
		free(names[--got]);
	memset(names, 0, count * sizeof(*names));
	return err;
}

int parser_ask_names(struct parser *parser, struct message *question, int fd, char **names, size_t count)
{
	const int files[CHANNEL_FILES] = { fd, -1 };
	struct message answer;
	int err = parser_ask(parser, question, files, &answer);

	memset(names, 0, count * sizeof(*names));
	if (!err)
		err = message_get_names(&answer, names, count);
	message_clear(question);
	message_clear(&answer);
	return err;
}
