/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread waited on as JSON. */
#ifndef SCALER_RENDER_JSON_RESOURCE_H
#define SCALER_RENDER_JSON_RESOURCE_H

#include <jansson.h>

#include "analysis/report.h"

/* null: nothing is known. Returns a new reference, or NULL without memory. */
json_t *json_resource(const struct report *report, const struct resource *resource);

/* Who owns such a thing. null: nobody, or not known. */
json_t *json_thread(const struct scaler_thread *thread);

/* "254:0", of 12 bits major and 20 bits minor; null: 0. */
json_t *json_device(uint32_t device);

#endif
