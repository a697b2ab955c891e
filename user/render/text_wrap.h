/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines no wider than the screen. */
#ifndef SCALER_RENDER_TEXT_WRAP_H
#define SCALER_RENDER_TEXT_WRAP_H

#include <stddef.h>
#include <stdio.h>

/*
 * The text, with lines that are wider than that many characters broken between words, where they have any; what follows is
 * indented. In memory that the caller frees; NULL: there is none.
 */
char *text_wrap(const char *text, size_t width);

/* Prints whole words on lines no wider than that, all of which begin in the same column; the first one is there already. */
void text_print_wrapped(FILE *out, const char *text, int column, int width);

#endif
