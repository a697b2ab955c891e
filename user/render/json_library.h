/* SPDX-License-Identifier: GPL-2.0-only */
/* Library calls as JSON. */
#ifndef SCALER_RENDER_JSON_LIBRARY_H
#define SCALER_RENDER_JSON_LIBRARY_H

#include <jansson.h>

#include "analysis/report.h"

/* All return a new reference, or NULL without memory. */
json_t *json_library_syscalls(const struct report *report);
/* How probes have followed what began later; functions may be NULL. */
json_t *json_library_refused(const struct library_functions *functions);
json_t *json_library_followed(const struct library_functions *functions);
/* The functions that there is something to be said about. */
json_t *json_library_reasons(const struct library_functions *functions, library_reason reason_of);

#endif
