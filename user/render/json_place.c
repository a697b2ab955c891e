// SPDX-License-Identifier: GPL-2.0-only
/* Places in code as JSON. */
#include "render/json_place.h"

#include "render/json_values.h"

json_t *json_place(const struct places *places, size_t index)
{
	const struct place *place;

	if (index == PLACE_NONE)
		return json_null();
	place = &places->items[index];
	return json_pack("{s:o, s:o, s:o}", "component", json_name(places->components[place->component].name),
			 "function", json_name(place->function), "offset",
			 place->function ? json_null() : json_number(place->offset));
}
