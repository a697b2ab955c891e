// SPDX-License-Identifier: GPL-2.0-only
/* The places of sites, as they have been named. */
#include "model/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int compare_sites(const void *left, const void *right)
{
	const struct place_site *a = left, *b = right;

	return (a->site > b->site) - (a->site < b->site);
}

static int compare_places(const struct place *a, const struct place *b)
{
	if (a->component != b->component)
		return a->component < b->component ? -1 : 1;
	if (!a->function || !b->function)
		return a->function ? 1 : b->function ? -1 : (a->offset > b->offset) - (a->offset < b->offset);
	return strcmp(a->function, b->function);
}

/* Of items; of the same place the earlier one comes first. */
static int compare_indices(const void *left, const void *right, void *items)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct place *places = items;

	return compare_places(&places[a], &places[b]) ?: array_order(a, b);
}

static int is_same_component(const struct place_component *a, const struct place_component *b)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no component is without a name. */
	if (strcmp(a->name, b->name))
		return 0;
	if (*a->build_id && *b->build_id)
		return !strcmp(a->build_id, b->build_id);
	return a->path && b->path ? !strcmp(a->path, b->path) : a->path == b->path;
}

static void clear_component(struct place_component *component)
{
	free(component->name);
	free(component->path);
}

ssize_t places_add_component(struct places *places, struct place_component *fresh)
{
	struct place_component *components;

	for (size_t i = 0; i < places->component_count; i++) {
		if (is_same_component(&places->components[i], fresh)) {
			clear_component(fresh);
			return (ssize_t)i;
		}
	}
	components = array_reserve(places->components, places->component_count, &places->component_capacity,
				   sizeof(*components));
	if (!components) {
		clear_component(fresh);
		return -ENOMEM;
	}
	places->components = components;
	components[places->component_count] = *fresh;
	return (ssize_t)places->component_count++;
}

/* Without those that get another. */
static void drop_sites(struct places *places, const struct place_site *sites, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < places->site_count; i++) {
		if (!bsearch(&places->sites[i], sites, count, sizeof(*sites), compare_sites))
			places->sites[kept++] = places->sites[i];
	}
	places->site_count = kept;
}

int places_add_sites(struct places *places, const struct place_site *sites, size_t count)
{
	struct place_site *all;

	drop_sites(places, sites, count);
	all = reallocarray(places->sites, places->site_count + count + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	places->sites = all;
	memcpy(all + places->site_count, sites, count * sizeof(*sites));
	places->site_count += count;
	qsort(all, places->site_count, sizeof(*all), compare_sites);
	return 0;
}

/* Indices of the places that sites or calls have, by what the places are. Returns their number. */
static size_t sort_used(const struct places *places, bool *is_used, size_t *order)
{
	size_t count = 0;

	for (size_t i = 0; i < places->site_count; i++)
		is_used[places->sites[i].place] = true;
	for (size_t i = 0; i < places->call_count; i++) {
		if (places->calls[i].place != PLACE_NONE)
			is_used[places->calls[i].place] = true;
	}
	for (size_t i = 0; i < places->count; i++) {
		if (is_used[i])
			order[count++] = i;
	}
	qsort_r(order, count, sizeof(*order), compare_indices, places->items);
	return count;
}

int places_merge(struct places *places)
{
	struct place *merged = calloc(places->count + 1, sizeof(*merged));
	size_t *merged_of = calloc(places->count + 1, sizeof(*merged_of));
	size_t *order = calloc(places->count + 1, sizeof(*order));
	bool *is_used = calloc(places->count + 1, sizeof(*is_used));
	size_t used, kept = 0;
	int err = merged && merged_of && order && is_used ? 0 : -ENOMEM;

	used = err ? 0 : sort_used(places, is_used, order);
	for (size_t i = 0; i < used; i++) {
		struct place *place = &places->items[order[i]];

		if (kept && !compare_places(&merged[kept - 1], place))
			free(place->function);
		else
			merged[kept++] = *place;
		merged_of[order[i]] = kept - 1;
	}
	for (size_t i = 0; i < places->count && !err; i++) {
		if (!is_used[i])
			free(places->items[i].function);
	}
	for (size_t i = 0; i < places->site_count && !err; i++)
		places->sites[i].place = merged_of[places->sites[i].place];
	for (size_t i = 0; i < places->call_count && !err; i++) {
		if (places->calls[i].place != PLACE_NONE)
			places->calls[i].place = merged_of[places->calls[i].place];
	}
	if (!err) {
		free(places->items);
		places->items = merged;
		places->count = kept;
	} else {
		free(merged);
	}
	free(merged_of);
	free(order);
	free(is_used);
	return err;
}

int places_number_component(struct places *places, uint32_t number, size_t index)
{
	size_t count = (size_t)number + 1, *component_of;

	if (count > places->number_count) {
		component_of = reallocarray(places->component_of, count, sizeof(*component_of));
		if (!component_of)
			return -ENOMEM;
		memset(component_of + places->number_count, 0,
		       (count - places->number_count) * sizeof(*component_of));
		places->component_of = component_of;
		places->number_count = count;
	}
	places->component_of[number] = index + 1;
	return 0;
}

size_t places_component(const struct places *places, uint32_t number)
{
	return number < places->number_count && places->component_of[number] ?
		       places->component_of[number] - 1 :
		       PLACE_NONE;
}

void places_clear(struct places *places)
{
	for (size_t i = 0; i < places->component_count; i++)
		clear_component(&places->components[i]);
	for (size_t i = 0; i < places->count; i++)
		free(places->items[i].function);
	free(places->components);
	free(places->items);
	free(places->sites);
	free(places->calls);
	free(places->component_of);
	number_names_clear(&places->disks);
	number_names_clear(&places->interrupts);
	*places = (struct places){ 0 };
}

size_t places_find(const struct places *places, uint64_t site)
{
	const struct place_site key = { .site = site };
	const struct place_site *found = NULL;

	if (places->site_count)
		found = bsearch(&key, places->sites, places->site_count, sizeof(key), compare_sites);
	return found ? found->place : PLACE_NONE;
}

static int compare_calls(const void *left, const void *right)
{
	const struct place_call *a = left, *b = right;

	return array_order(a->caller, b->caller) ?: array_order(a->component, b->component);
}

static const struct place_call *find_call(const struct places *places, uint64_t caller, uint32_t component)
{
	const struct place_call key = { .caller = caller, .component = component };

	return places->call_count ?
		       bsearch(&key, places->calls, places->call_count, sizeof(key), compare_calls) :
		       NULL;
}

bool places_has_call(const struct places *places, uint64_t caller, uint32_t component)
{
	return find_call(places, caller, component);
}

size_t places_find_called(const struct places *places, uint64_t caller, uint32_t component)
{
	const struct place_call *found =
		scaler_site_component(caller) != component ? find_call(places, caller, component) : NULL;

	return found ? found->place : PLACE_NONE;
}

void places_sort_calls(struct places *places)
{
	qsort(places->calls, places->call_count, sizeof(*places->calls), compare_calls);
}

int places_compare_names(const struct places *places, size_t left, size_t right)
{
	const struct place *a = &places->items[left], *b = &places->items[right];
	int order = strcmp(places->components[a->component].name, places->components[b->component].name);

	return order ?: compare_places(a, b);
}
