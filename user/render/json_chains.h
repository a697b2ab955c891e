/* SPDX-License-Identifier: GPL-2.0-only */
/* Wait-for chains as JSON. */
#ifndef SCALER_RENDER_JSON_CHAINS_H
#define SCALER_RENDER_JSON_CHAINS_H

#include <jansson.h>

#include "analysis/report.h"

/* Whose time a part of a chain was and what it is made of. A new reference, or NULL without memory, as of the next. */
/* What threads of one name ran the most; null: no function is known. */
json_t *json_runs(const struct report *report, const struct runs *runs);
json_t *json_chain_what(const struct report *report, const struct chain_what *what);

/* An array of the waits that are explained. */
json_t *json_chain_array(const struct report *report);

#endif
