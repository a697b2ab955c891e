// SPDX-License-Identifier: GPL-2.0-only
/* Names from traced programs, made harmless. */
#include "base/escape.h"

#include <stdio.h>

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
