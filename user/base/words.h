/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of words as a string has them, "one, two, three": for messages, and for those who look a word up. */
#ifndef SCALER_BASE_WORDS_H
#define SCALER_BASE_WORDS_H

#include <stddef.h>

/* Where a word stands in a list, from 0; -1: it is none of them. */
int words_find(const char *words, const char *word, size_t length);

#endif
