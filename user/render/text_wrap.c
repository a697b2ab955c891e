// SPDX-License-Identifier: GPL-2.0-only
/* Lines no wider than the screen. */
#include "render/text_wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRAP_INDENT 2

/* Up to a space at which a line may be broken: not between a figure and its unit. */
static size_t unbroken_length(const char *text)
{
	size_t length = strcspn(text, " \n"), unit;

	if (text[length] != ' ' || !length || text[length - 1] < '0' || text[length - 1] > '9')
		return length;
	unit = strspn(text + length + 1, "kKMGiBnums");
	return unit && strchr(" ,;:.)\n", text[length + 1 + unit]) ?
		       length + 1 + strcspn(text + length + 1, " \n") :
		       length;
}

/* Lines are broken between words, where they have any, and what follows is indented. */
static void print_wrapped(FILE *out, const char *text, size_t width)
{
	bool is_first = true; /* word of a line */
	size_t column = 0;

	while (*text) {
		size_t word = unbroken_length(text);

		if (!is_first && column + 1 + word > width)
			column = (size_t)fprintf(out, "\n%*s", WRAP_INDENT, "") - 1;
		else if (!is_first)
			column += (size_t)fprintf(out, " ");
		column += fwrite(text, 1, word, out);
		text += word;
		is_first = *text == '\n';
		if (is_first) {
			fputc('\n', out);
			column = 0;
		}
		text += *text != '\0';
	}
}

char *text_wrap(const char *text, size_t width)
{
	char *wrapped = NULL;
	size_t size;
	FILE *out = open_memstream(&wrapped, &size);

	if (!out)
		return NULL;
	print_wrapped(out, text, width);
	if (!fclose(out))
		return wrapped;
	free(wrapped);
	return NULL;
}

void text_print_wrapped(FILE *out, const char *text, int column, int width)
{
	int at = column;

	for (; *text; text += strspn(text, " ")) {
		int length = (int)strcspn(text, " ");

		if (at > column && at + 1 + length > width)
			at = fprintf(out, "\n%*s", column, "") - 1;
		else if (at > column)
			at += fprintf(out, " ");
		at += fprintf(out, "%.*s", length, text);
		text += length;
	}
	fputc('\n', out);
}
