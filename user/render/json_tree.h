/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree of calls as JSON. */
#ifndef SCALER_RENDER_JSON_TREE_H
#define SCALER_RENDER_JSON_TREE_H

#include <jansson.h>

#include "analysis/report.h"

/* A new reference, or NULL without memory. */
json_t *json_call_tree(const struct report *report);

#endif
