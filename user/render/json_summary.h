/* SPDX-License-Identifier: GPL-2.0-only */
/* The summary as JSON, described with the report's schema. */
#ifndef SCALER_RENDER_JSON_SUMMARY_H
#define SCALER_RENDER_JSON_SUMMARY_H

#include <jansson.h>

#include "analysis/report.h"

/* Returns a new reference, or NULL without memory. */
json_t *json_summary_object(const struct report *report);

#endif
