// SPDX-License-Identifier: GPL-2.0-only
/* Commands to a tracer out of the bytes that arrive. */
#include "control/control_text.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"

static const struct {
	const char *word;
	enum control_verb verb;
} words[] = {
	{ "enable", CONTROL_ENABLE }, { "disable", CONTROL_DISABLE },   { "ping", CONTROL_PING },
	{ "stop", CONTROL_STOP },     { "snapshot", CONTROL_SNAPSHOT }, { "save", CONTROL_SAVE },
};

/* Longer prefixes first. Without what follows them they are no commands. */
static const struct {
	const char *prefix;
	enum control_verb verb;
} prefixes[] = {
	{ "mark BEGIN ", CONTROL_MARK_BEGIN },
	{ "mark END ", CONTROL_MARK_END },
	{ "mark ", CONTROL_MARK },
	{ "save ", CONTROL_SAVE },
};

char *control_text_room(struct control_text *text, size_t *room)
{
	/* What is too long is read on, to its end. */
	if (text->count == sizeof(text->bytes)) {
		text->overflows = true;
		text->count = 0;
	}
	*room = sizeof(text->bytes) - text->count;
	return text->bytes + text->count;
}

void control_text_add(struct control_text *text, size_t count)
{
	text->count += count;
}

static enum control_verb find_word(const char *line)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(line, words[i].word))
			return words[i].verb;
	}
	return CONTROL_UNKNOWN;
}

/* *name: what follows. */
static enum control_verb find_prefix(const char *line, const char **name)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		size_t length = strlen(prefixes[i].prefix);

		if (strncmp(line, prefixes[i].prefix, length) != 0)
			continue;
		*name = line + length;
		return **name ? prefixes[i].verb : CONTROL_UNKNOWN;
	}
	return CONTROL_UNKNOWN;
}

static void parse(const char *line, struct control_command *command)
{
	const char *name = line;

	command->verb = find_word(line);
	if (command->verb == CONTROL_UNKNOWN)
		command->verb = find_prefix(line, &name);
	else if (command->verb == CONTROL_SAVE)
		name = "";
	/* Who leaves out the name means no moment of that name. */
	if (command->verb == CONTROL_MARK && (!strcmp(name, "BEGIN") || !strcmp(name, "END")))
		command->verb = CONTROL_UNKNOWN;
	snprintf(command->text, sizeof(command->text), "%s", command->verb == CONTROL_UNKNOWN ? line : name);
}

/* Moves one line, without its end, to line. */
static bool take_line(struct control_text *text, char line[CONTROL_BYTES])
{
	size_t length = 0;

	while (length < text->count && text->bytes[length] && text->bytes[length] != '\n')
		length++;
	if (length == text->count)
		return false;
	memcpy(line, text->bytes, length);
	line[length] = '\0';
	text->count -= length + 1;
	memmove(text->bytes, text->bytes + length + 1, text->count);
	return true;
}

bool control_text_take(struct control_text *text, struct control_command *command)
{
	char line[CONTROL_BYTES];

	while (take_line(text, line)) {
		bool overflows = text->overflows;

		text->overflows = false;
		if (!*line && !overflows)
			continue;
		parse(line, command);
		if (overflows)
			*command = (struct control_command){ .verb = CONTROL_TOO_LONG };
		return true;
	}
	return false;
}
