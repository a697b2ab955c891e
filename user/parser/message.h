/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tracer and a process that reads foreign files for it say to each other: numbers and texts, one behind the other. What was received is
 * believed no more than a file: whatever is read beyond its end is 0, and is found out at last.
 */
#ifndef SCALER_PARSER_MESSAGE_H
#define SCALER_PARSER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
	unsigned char *bytes; /* owned */
	size_t size;
	size_t capacity;
	size_t at;   /* of what was received: what is read next */
	bool failed; /* no memory; or something was beyond the end, or is not what it should be */
};

void message_clear(struct message *message);

void message_put(struct message *message, const void *bytes, size_t size);
void message_put_number(struct message *message, uint64_t number);
/* NULL is kept apart from "". */
void message_put_text(struct message *message, const char *text);
void message_put_part(struct message *message, const char *text, size_t length);

/* Copies the next bytes; zeros if there are not that many. */
void message_get(struct message *message, void *bytes, size_t size);
uint64_t message_get_number(struct message *message);

/* The next text, which is the message's, or NULL. */
const char *message_get_text(struct message *message);

/*
 * A number of items that follow, of which each takes at least item_bytes: 0, and failed, if there cannot be that many.
 */
size_t message_get_count(struct message *message, size_t item_bytes);

/* Room for the next bytes of what is received, size of them; NULL without memory. */
void *message_reserve(struct message *message, size_t size);

#endif
