// SPDX-License-Identifier: GPL-2.0-only
/* Names from traced programs, made harmless. */
#include "base/escape.h"

#include <stdio.h>
#include <string.h>

const char *escape_text(const char *text, size_t length, char *buffer)
{
	char *at = buffer;

	for (size_t i = 0; i < length && text[i]; i++) {
		unsigned char byte = (unsigned char)text[i];

		if (byte >= ' ' && byte < 0x7f && byte != '\\')
			*at++ = (char)byte;
		else
			at += sprintf(at, "\\x%02x", byte);
	}
	*at = '\0';
	return buffer;
}

/* How far that place is into an escape, of which all characters but the first may stand elsewhere, too. */
static size_t escape_offset(const char *escaped, size_t at)
{
	for (size_t back = 1; back < ESCAPE_FACTOR && back <= at; back++) {
		if (escaped[at - back] == '\\')
			return back;
	}
	return 0;
}

void escape_shorten(char *escaped, size_t width)
{
	static const char gap[] = "...";
	size_t length = strlen(escaped), kept = width - strlen(gap), end, start;

	if (length <= width)
		return;
	end = kept - kept / 3;
	end -= escape_offset(escaped, end);
	start = length - kept / 3;
	if (escape_offset(escaped, start))
		start += ESCAPE_FACTOR - escape_offset(escaped, start);
	for (const char *from = gap; *from; from++)
		escaped[end++] = *from;
	memmove(escaped + end, escaped + start, length - start + 1);
}
