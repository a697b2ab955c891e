// SPDX-License-Identifier: GPL-2.0-only
/* The places of sites: all new sites of a component at a time, so that its symbols are read once for them. */
#include "analysis/places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/called_names.h"
#include "analysis/place_names.h"
#include "base/array.h"
#include "target/component.h"
#include "target/held_files.h"

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

static size_t list_sample_sites(const struct scaler_sample *sample, struct place_site *sites)
{
	size_t count = 0;

	if (sample->site)
		sites[count++].site = sample->site;
	if (sample->kernel)
		sites[count++].site = sample->kernel;
	return count;
}

#define BLOCKING_SITES 5 /* at most */

static size_t list_blocking_sites(const struct scaler_blocking_interval *interval, struct place_site *sites)
{
	size_t count = list_sample_sites(&interval->where, sites);

	count += list_sample_sites(&interval->waker.where, sites + count);
	if (interval->resource.site)
		sites[count++].site = interval->resource.site;
	return count;
}

/* Every site of the profile, some more than once; sites has room for them. Returns their number. */
static size_t list_sites(const struct profile *profile, struct place_site *sites)
{
	size_t count = 0;

	for (size_t i = 0; i < profile->call_count; i++)
		sites[count++].site = profile->calls[i].key.site;
	for (size_t i = 0; i < profile->stacks.site_count; i++)
		sites[count++].site = profile->stacks.sites[i];
	for (size_t i = 0; i < profile->samples.rows.count; i++)
		count += list_sample_sites(&samples_rows(&profile->samples)[i].sample, sites + count);
	for (size_t i = 0; i < profile->blocking.count; i++)
		count += list_blocking_sites(&profile->blocking.items[i], sites + count);
	return count;
}

/* In the order of sites, each once. Returns how many are left. */
static size_t sort_sites(struct place_site *sites, size_t count)
{
	size_t kept = 0;

	qsort(sites, count, sizeof(*sites), compare_sites);
	for (size_t i = 0; i < count; i++) {
		if (!i || sites[i].site != sites[kept - 1].site)
			sites[kept++] = sites[i];
	}
	return kept;
}

/* Generated code may have got a name by now. Of a file all is known at once. */
static bool is_final(const struct place *place)
{
	return place->function || place->offset;
}

/* Those that have no place yet, out of all of the profile. */
static int collect_sites(const struct profile *profile, const struct place_sites *others,
			 const struct places *places, struct place_site **result, size_t *result_count)
{
	size_t most = profile->call_count + profile->stacks.site_count + 2 * profile->samples.rows.count +
		      BLOCKING_SITES * profile->blocking.count + (others ? others->count : 0);
	struct place_site *sites = calloc(most + 1, sizeof(*sites));
	size_t count, kept = 0;

	if (!sites)
		return -ENOMEM;
	count = list_sites(profile, sites);
	for (size_t i = 0; others && i < others->count; i++)
		sites[count++].site = others->items[i];
	count = sort_sites(sites, count);
	for (size_t i = 0; i < count; i++) {
		size_t known = places_find(places, sites[i].site);

		if (known == PLACE_NONE || !is_final(&places->items[known]))
			sites[kept++] = sites[i];
	}
	*result = sites;
	*result_count = kept;
	return 0;
}

/* Without those that are to get another. */
static void drop_sites(struct places *places)
{
	size_t kept = 0;

	for (size_t i = 0; i < places->site_count; i++) {
		if (is_final(&places->items[places->sites[i].place]))
			places->sites[kept++] = places->sites[i];
	}
	places->site_count = kept;
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

/* The index of the component of that description, added if it is new; below 0: -ENOMEM. */
static ssize_t add_component(struct places *places, const struct scaler_component *description,
			     const char *name)
{
	struct place_component fresh = {
		.name = strdup(name),
		.is_application = description->application,
		.is_generated =
			!description->key.device && description->key.inode == SCALER_COMPONENT_ANONYMOUS,
		.is_runtime = component_is_runtime(description),
		.is_tracer =
			!description->key.device && description->key.inode == SCALER_COMPONENT_TRACER_CODE,
	};
	struct place_component *components;
	char path[KERNEL_PATH_TEXT_SIZE];

	if (component_has_build_id(description))
		component_format_build_id(description->build_id, fresh.build_id);
	if (component_path(description, path))
		fresh.path = strdup(path);
	if (!fresh.name || (component_path(description, path) && !fresh.path)) {
		clear_component(&fresh);
		return -ENOMEM;
	}
	for (size_t i = 0; i < places->component_count; i++) {
		if (is_same_component(&places->components[i], &fresh)) {
			clear_component(&fresh);
			return (ssize_t)i;
		}
	}
	components = array_reserve(places->components, places->component_count, &places->component_capacity,
				   sizeof(*components));
	if (!components) {
		clear_component(&fresh);
		return -ENOMEM;
	}
	places->components = components;
	components[places->component_count] = fresh;
	return (ssize_t)places->component_count++;
}

const struct scaler_component *places_description(const struct profile *profile, uint32_t number)
{
	static const struct scaler_component unknown;
	static const struct scaler_component kernel = { .key.inode = SCALER_COMPONENT_KERNEL_CODE };
	static const struct scaler_component tracer = { .key.inode = SCALER_COMPONENT_TRACER_CODE };

	if (number == SCALER_COMPONENT_KERNEL)
		return &kernel;
	if (number == SCALER_COMPONENT_TRACER)
		return &tracer;
	for (size_t i = 0; number && i < profile->component_count; i++) {
		if (profile->components[i].number == number)
			return &profile->components[i].description;
	}
	return &unknown;
}

/* Gives the first sites, as many as lie in one component, a place each behind the others. Returns their number. */
static ssize_t resolve_component(const struct profile *profile, struct places *places,
				 struct place_site *sites, size_t count)
{
	uint32_t number = scaler_site_component(sites[0].site);
	struct unnamed_places unnamed = {
		.description = places_description(profile, number),
		.sites = sites,
		.places = &places->items[places->count],
	};
	ssize_t component = add_component(places, unnamed.description, place_names_begin(&unnamed));
	int err;

	if (component < 0) {
		place_names_end(&unnamed);
		return component;
	}
	for (size_t i = 0; i < count && scaler_site_component(sites[i].site) == number; i++) {
		sites[i].place = places->count;
		places->items[places->count++] = (struct place){ .component = (size_t)component };
		unnamed.count++;
	}
	unnamed.held = places->held;
	unnamed.search = places->search;
	unnamed.component = &places->components[component];
	unnamed.component->problem = NULL;
	unnamed.component->is_moved |= unnamed.description->moved != 0;
	err = place_names_find(&unnamed);
	place_names_end(&unnamed);
	return err ? err : (ssize_t)unnamed.count;
}

static int resolve_sites(const struct profile *profile, struct places *places, struct place_site *sites,
			 size_t count)
{
	struct place *items = reallocarray(places->items, places->count + count + 1, sizeof(*items));
	struct place_site *all;
	ssize_t resolved;

	if (!items)
		return -ENOMEM;
	places->items = items;
	/* Of generated code all that nothing names is resolved anew. */
	for (size_t i = 0; i < places->component_count; i++) {
		if (places->components[i].is_generated)
			places->components[i].problem = NULL;
	}
	for (size_t at = 0; at < count; at += (size_t)resolved) {
		resolved = resolve_component(profile, places, sites + at, count - at);
		if (resolved < 0)
			return (int)resolved;
	}
	drop_sites(places);
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

/* Makes one of the places that are the same, and drops those that no site has. */
static int merge_places(struct places *places)
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

/* Of a component that may have no sites. */
static int name_component(const struct profile *profile, struct places *places, uint32_t number)
{
	const struct scaler_component *description = places_description(profile, number);
	struct unnamed_places unnamed = { .description = description };
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	ssize_t index;
	int fd;

	if (places->component_of[number])
		return 0;
	index = add_component(places, description, place_names_begin(&unnamed));
	place_names_end(&unnamed);
	if (index < 0)
		return (int)index;
	places->component_of[number] = (size_t)index + 1;
	fd = description->key.device && !*places->components[index].build_id ?
		     held_files_open(places->held, description) :
		     -1;
	if (fd < 0)
		return 0;
	if (component_read_build_id(fd, build_id))
		component_format_build_id(build_id, places->components[index].build_id);
	close(fd);
	return 0;
}

/* Makes room for the numbers of all components. */
static int number_components(const struct profile *profile, struct places *places)
{
	size_t count = places->number_count ?: 1, *component_of;

	for (size_t i = 0; i < profile->component_count; i++) {
		if (profile->components[i].number >= count)
			count = (size_t)profile->components[i].number + 1;
	}
	if (count == places->number_count)
		return 0;
	component_of = reallocarray(places->component_of, count, sizeof(*component_of));
	if (!component_of)
		return -ENOMEM;
	memset(component_of + places->number_count, 0,
	       (count - places->number_count) * sizeof(*component_of));
	places->component_of = component_of;
	places->number_count = count;
	return 0;
}

/* The components that call and are called. */
static int name_components(const struct profile *profile, struct places *places)
{
	int err = number_components(profile, places);

	for (size_t i = 0; i < profile->context_count && !err; i++) {
		const struct profile_context *context = &profile->contexts[i];

		if (context->key.caller < places->number_count)
			err = name_component(profile, places, context->key.caller);
		if (!err && context->context.component < places->number_count)
			err = name_component(profile, places, context->context.component);
	}
	return err;
}

size_t places_component(const struct places *places, uint32_t number)
{
	return number < places->number_count && places->component_of[number] ?
		       places->component_of[number] - 1 :
		       PLACE_NONE;
}

int places_add(struct places *places, const struct profile *profile, const struct place_sites *others)
{
	struct place_site *sites = NULL;
	size_t count = 0;
	bool has_calls = false;
	int err = collect_sites(profile, others, places, &sites, &count);

	if (!err && count)
		err = resolve_sites(profile, places, sites, count);
	free(sites);
	if (!err)
		err = called_names_add(profile, places, &has_calls);
	if (!err && (count || has_calls))
		err = merge_places(places);
	return err ?: name_components(profile, places);
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
