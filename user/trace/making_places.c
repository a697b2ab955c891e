// SPDX-License-Identifier: GPL-2.0-only
/* The names of places, as a payload has them. */
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "trace/making.h"
#include "trace/rows.h"

static uint32_t component_flags(const struct place_component *component)
{
	return (component->is_application ? TRACE_COMPONENT_APPLICATION : 0) |
	       (component->is_runtime ? TRACE_COMPONENT_RUNTIME : 0) |
	       (component->is_tracer ? TRACE_COMPONENT_TRACER : 0) |
	       (component->is_generated ? TRACE_COMPONENT_GENERATED : 0) |
	       (component->is_moved ? TRACE_COMPONENT_MOVED : 0);
}

/* Of what may change of a component, whose number and names stay. */
static uint64_t hash_components(const struct places *places)
{
	uint64_t hash = places->component_count;

	for (size_t i = 0; i < places->component_count; i++) {
		const struct place_component *component = &places->components[i];
		const char *problem = component->problem ?: "";

		hash = XXH64(component->build_id, strlen(component->build_id), hash);
		hash = XXH64(problem, strlen(problem), hash + component_flags(component));
	}
	return hash | 1;
}

static void add_place_components(struct making *making)
{
	const struct places *places = making->places;
	uint64_t hash = hash_components(places);
	struct rows rows = { 0 };

	if (hash == making->writer->components_hash)
		return;
	making->writer->components_hash = hash;
	for (size_t i = 0; i < places->component_count; i++) {
		const struct place_component *component = &places->components[i];
		struct trace_place_component_row *row = making_row(making, &rows, sizeof(*row));

		if (row)
			*row = (struct trace_place_component_row){
				.name = making_text(making, component->name),
				.path = making_text(making, component->path),
				.build_id = making_text(making, component->build_id),
				.problem = making_text(making, component->problem),
				.flags = component_flags(component),
			};
	}
	making_rows(making, TRACE_PLACE_COMPONENTS, &rows, sizeof(struct trace_place_component_row));
}

static void add_place_numbers(struct making *making)
{
	const struct places *places = making->places;
	struct rows numbers = { 0 };

	for (uint32_t number = 0; number < places->number_count; number++) {
		struct trace_place_number_row *row;

		if (!places->component_of[number] || !making_is_new(making, TRACE_PLACE_NUMBERS, number))
			continue;
		row = making_row(making, &numbers, sizeof(*row));
		if (row)
			*row = (struct trace_place_number_row){ number,
								(uint32_t)places->component_of[number] - 1 };
	}
	making_rows(making, TRACE_PLACE_NUMBERS, &numbers, sizeof(struct trace_place_number_row));
}

/* Sites that are new, or have a name by now. */
static void add_place_sites(struct making *making)
{
	const struct places *places = making->places;
	struct rows rows = { 0 };

	for (size_t i = 0; i < places->site_count; i++) {
		const struct place *place = &places->items[places->sites[i].place];
		struct trace_place_site_row *row;

		if (!making_is_new(making, place_is_final(place) ? TRACE_PLACE_SITES : TRACE_PLACE_COMPONENTS,
				   places->sites[i].site))
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_place_site_row){ .site = places->sites[i].site,
							      .offset = place->offset,
							      .component = (uint32_t)place->component,
							      .function =
								      making_text(making, place->function) };
	}
	making_rows(making, TRACE_PLACE_SITES, &rows, sizeof(struct trace_place_site_row));
}

static void add_place_calls(struct making *making)
{
	const struct places *places = making->places;
	struct rows rows = { 0 };

	for (size_t i = 0; i < places->call_count; i++) {
		const struct place_call *call = &places->calls[i];
		const struct place *place = call->place == PLACE_NONE ? NULL : &places->items[call->place];
		struct trace_place_call_row *row;

		if (!making_is_new_pair(making, TRACE_PLACE_CALLS, call->caller, call->component))
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_place_call_row){
				.caller = call->caller,
				.number = call->component,
				.component = place ? (uint32_t)place->component : 0,
				.function = making_text(making, place ? place->function : NULL),
			};
	}
	making_rows(making, TRACE_PLACE_CALLS, &rows, sizeof(struct trace_place_call_row));
}

static void add_names(struct making *making, enum trace_kind kind, const struct number_names *names)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < names->count; i++) {
		struct trace_name_row *row;

		if (!names->items[i].name || !making_is_new(making, kind, names->items[i].number))
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_name_row){ names->items[i].number,
							making_text(making, names->items[i].name) };
	}
	making_rows(making, kind, &rows, sizeof(struct trace_name_row));
}

void making_places(struct making *making)
{
	add_place_components(making);
	add_place_numbers(making);
	add_place_sites(making);
	add_place_calls(making);
	add_names(making, TRACE_DISKS, &making->places->disks);
	add_names(making, TRACE_INTERRUPTS, &making->places->interrupts);
}
