/* SPDX-License-Identifier: GPL-2.0-only */
/* What the lines of folded stacks are made of. */
#ifndef SCALER_RENDER_FOLDED_H
#define SCALER_RENDER_FOLDED_H

#include "render/renderer.h"

/* Escaped, and without the semicolon that ends a frame. */
void folded_name(FILE *out, const char *name);
/* The same of a thread, which cannot be taken for anything else; "(no name)" if it has none. */
void folded_thread(FILE *out, const char *name);
/* "libc.so.6`read": an index in the places' items. */
void folded_function(FILE *out, const struct places *places, size_t index);

/* Wait-for stacks; the hook. */
int folded_chains(struct renderer *renderer, const struct report *report);

#endif
