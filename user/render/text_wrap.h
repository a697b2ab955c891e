/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines no wider than the screen. */
#ifndef SCALER_RENDER_TEXT_WRAP_H
#define SCALER_RENDER_TEXT_WRAP_H

#include <stddef.h>

/*
 * The text, with lines that are wider than that many characters broken between words, where they have any; what follows is
 * indented. In memory that the caller frees; NULL: there is none.
 */
char *text_wrap(const char *text, size_t width);

#endif
