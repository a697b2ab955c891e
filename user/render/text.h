/* SPDX-License-Identifier: GPL-2.0-only */
/* The text renderer's tables, one per file, and what they share. */
#ifndef SCALER_RENDER_TEXT_H
#define SCALER_RENDER_TEXT_H

#include "render/renderer.h"

/* Hooks of renderer_text. */
int text_components(struct renderer *renderer, const struct report *report);
int text_calls(struct renderer *renderer, const struct report *report);
int text_threads(struct renderer *renderer, const struct report *report);

/* How many of the rows are shown; a single one too many is shown rather than called "others". */
size_t text_rows_shown(const struct report *report, size_t rows);

#define TEXT_OTHERS_SIZE 40

/* "(12 others)". Returns buffer. */
const char *text_others(size_t count, char buffer[TEXT_OTHERS_SIZE]);

/* A name made safe to print, in memory of its own for the caller to free; NULL without memory. */
char *text_escape_name(const char *name);

#endif
