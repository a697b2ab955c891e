/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait-for chains as JSON. */
#ifndef SCALER_RENDER_JSON_CHAINS_H
#define SCALER_RENDER_JSON_CHAINS_H

#include <jansson.h>

#include "analysis/report.h"

/* An array of the waits that are explained. A new reference, or NULL without memory. */
json_t *json_chain_array(const struct report *report);

#endif
