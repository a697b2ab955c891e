/* SPDX-License-Identifier: GPL-2.0-only */
/* The JSON schema (draft 2020-12) of reports. */
#ifndef SCALER_RENDER_SCHEMA_H
#define SCALER_RENDER_SCHEMA_H

#include <jansson.h>

/* render/report.schema.json with what the columns of the tables say. A new reference, or NULL without memory. */
json_t *report_schema(void);

#endif
