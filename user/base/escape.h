/* SPDX-License-Identifier: GPL-2.0-only */
/* Names from traced programs are not trusted: a terminal must not act on them. */
#ifndef SCALER_BASE_ESCAPE_H
#define SCALER_BASE_ESCAPE_H

#include <stddef.h>

/* The most that one byte becomes. */
#define ESCAPE_FACTOR 4

/*
 * Copies up to length bytes or to the first NUL, with whatever is not printable ASCII, and the
 * backslash, as \xNN. buffer has room for ESCAPE_FACTOR * length + 1 bytes. Returns buffer.
 */
const char *escape_text(const char *text, size_t length, char *buffer);

/*
 * Makes an escaped text at most width characters long, of which width is at least 16: "..." stands for what was in its middle.
 * No escape is cut.
 */
void escape_shorten(char *escaped, size_t width);

#endif
