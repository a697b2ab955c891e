/* SPDX-License-Identifier: GPL-2.0-only */
/* The blocking report as JSON. */
#ifndef SCALER_RENDER_JSON_BLOCKING_H
#define SCALER_RENDER_JSON_BLOCKING_H

#include <jansson.h>

#include "render/renderer.h"

/* Arrays of intervals, of their sums, and of what futexes were to them. Each returns a new reference, or NULL without memory. */
json_t *json_blocking_intervals(const struct report *report);
json_t *json_wait_sums(const struct report *report);
json_t *json_lock_array(const struct report *report);

/* The hook: each interval a line. */
int json_stream(struct renderer *renderer, const struct report *report);

#endif
