/* SPDX-License-Identifier: GPL-2.0-only */
/* Places in code as JSON. */
#ifndef SCALER_RENDER_JSON_PLACE_H
#define SCALER_RENDER_JSON_PLACE_H

#include <jansson.h>

#include "model/places.h"

/* By its index; null of PLACE_NONE. Returns a new reference, or NULL without memory. */
json_t *json_place(const struct places *places, size_t index);

#endif
