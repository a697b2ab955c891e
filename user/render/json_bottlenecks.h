/* SPDX-License-Identifier: GPL-2.0-only */
/* Bottlenecks as JSON. */
#ifndef SCALER_RENDER_JSON_BOTTLENECKS_H
#define SCALER_RENDER_JSON_BOTTLENECKS_H

#include <jansson.h>

#include "analysis/report.h"

/* A new reference, or NULL without memory. */
json_t *json_bottleneck_object(const struct report *report);

#endif
