// SPDX-License-Identifier: GPL-2.0-only
/* Numbers are of 64 bits, as the machine has them: both sides are one program. A text has its size before it. */
#include "parser/message.h"

#include <stdlib.h>
#include <string.h>

#define NO_TEXT UINT64_MAX

void message_clear(struct message *message)
{
	free(message->bytes);
	*message = (struct message){ 0 };
}

void *message_reserve(struct message *message, size_t size)
{
	size_t wanted = message->capacity ?: 256;
	unsigned char *bytes;

	while (wanted - message->size < size && wanted <= SIZE_MAX / 2)
		wanted *= 2;
	if (wanted - message->size < size) {
		message->failed = true;
		return NULL;
	}
	bytes = wanted == message->capacity ? message->bytes : realloc(message->bytes, wanted);
	if (!bytes) {
		message->failed = true;
		return NULL;
	}
	message->bytes = bytes;
	message->capacity = wanted;
	message->size += size;
	return bytes + message->size - size;
}

void message_put(struct message *message, const void *bytes, size_t size)
{
	void *room = message_reserve(message, size);

	if (room && size)
		memcpy(room, bytes, size);
}

void message_put_number(struct message *message, uint64_t number)
{
	message_put(message, &number, sizeof(number));
}

void message_put_part(struct message *message, const char *text, size_t length)
{
	length = text ? strnlen(text, length) : 0;
	message_put_number(message, text ? length : NO_TEXT);
	if (!text)
		return;
	message_put(message, text, length);
	message_put(message, "", 1);
}

void message_put_text(struct message *message, const char *text)
{
	message_put_part(message, text, text ? strlen(text) : 0);
}

/* The next bytes, or NULL. */
static const unsigned char *take(struct message *message, size_t size)
{
	if (message->failed || size > message->size - message->at) {
		message->failed = true;
		return NULL;
	}
	message->at += size;
	return message->bytes + message->at - size;
}

void message_get(struct message *message, void *bytes, size_t size)
{
	const unsigned char *taken = take(message, size);

	if (taken)
		memcpy(bytes, taken, size);
	else
		memset(bytes, 0, size);
}

uint64_t message_get_number(struct message *message)
{
	uint64_t number;

	message_get(message, &number, sizeof(number));
	return number;
}

const char *message_get_text(struct message *message)
{
	uint64_t length = message_get_number(message);
	const char *text;

	if (length == NO_TEXT || message->failed)
		return NULL;
	text = length < message->size ? (const char *)take(message, (size_t)length + 1) : NULL;
	if (text && strnlen(text, (size_t)length + 1) == length)
		return text;
	message->failed = true;
	return NULL;
}

size_t message_get_count(struct message *message, size_t item_bytes)
{
	uint64_t count = message_get_number(message);

	if (count <= (message->size - message->at) / item_bytes)
		return (size_t)count;
	message->failed = true;
	return 0;
}
