// SPDX-License-Identifier: GPL-2.0-only
/* Lists of words as a string has them. */
#include "base/words.h"

#include <string.h>

int words_find(const char *words, const char *word, size_t length)
{
	int index = 0;

	for (const char *at = words; *at; index++) {
		size_t size = strcspn(at, ",");

		if (size == length && !strncmp(at, word, length))
			return index;
		at += size;
		at += strspn(at, ", ");
	}
	return -1;
}
