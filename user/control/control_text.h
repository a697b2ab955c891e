/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands to a tracer, as perf's --control has them, out of the bytes that arrive: each ends at a newline or a NUL.
 * enable, disable, ping, stop, snapshot; and of our own: mark NAME, mark BEGIN NAME, mark END NAME, save, save FILE.
 */
#ifndef SCALER_CONTROL_CONTROL_TEXT_H
#define SCALER_CONTROL_CONTROL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum control_verb {
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_PING,
	CONTROL_STOP,
	CONTROL_SNAPSHOT,
	CONTROL_MARK,
	CONTROL_MARK_BEGIN,
	CONTROL_MARK_END,
	CONTROL_SAVE,
	CONTROL_UNKNOWN,  /* no such command, or a mark without a name */
	CONTROL_TOO_LONG, /* more than CONTROL_BYTES */
};

#define CONTROL_BYTES 512

struct control_command {
	enum control_verb verb;
	char text
		[CONTROL_BYTES]; /* a mark's name, or a file's, which may be empty; of other commands all of it */
};

/* All zero at first. */
struct control_text {
	char bytes[CONTROL_BYTES]; /* that have arrived, and have been no command yet */
	size_t count;
	bool overflows; /* the command in them is longer */
};

/* Where to put bytes that arrive next, at least one, and how many. All commands have been taken. */
char *control_text_room(struct control_text *text, size_t *room);
void control_text_add(struct control_text *text, size_t count);

/* Takes the next command that has arrived. Lines without a character are none. Returns whether there is one. */
bool control_text_take(struct control_text *text, struct control_command *command);

#endif
