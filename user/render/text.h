/* SPDX-License-Identifier: GPL-2.0-only */
/* The reports as text for people. */
#ifndef SCALER_RENDER_TEXT_H
#define SCALER_RENDER_TEXT_H

#include <stdio.h>

#include "analysis/call_summary.h"

/* Write errors stay in the stream's error state, for the caller to check once. */
void text_render_calls(FILE *out, const struct call_summary *summary);

/* What the recording lost, a line per cause; nothing where nothing was lost. */
void text_render_coverage(FILE *out, const struct profile *profile);

#endif
