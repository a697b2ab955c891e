/* SPDX-License-Identifier: GPL-2.0-only */
/* A critical path as JSON. */
#ifndef SCALER_RENDER_JSON_PATH_H
#define SCALER_RENDER_JSON_PATH_H

#include <jansson.h>

#include "analysis/report.h"

/* An object, or null if there is no such thread. A new reference, or NULL without memory. */
json_t *json_critical_path(const struct report *report);

#endif
