// SPDX-License-Identifier: GPL-2.0-only
/* Names of all that is new: the new sites of a component at a time, so that its symbols are read once for them. */
#include "symbolize/symbolize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "model/sites.h"
#include "symbolize/called_names.h"
#include "symbolize/place_names.h"
#include "target/block_device.h"
#include "target/component.h"
#include "target/held_files.h"
#include "target/interrupt_names.h"
#include "target/symbol_search.h"

static int compare_sites(const void *left, const void *right)
{
	const struct place_site *a = left, *b = right;

	return (a->site > b->site) - (a->site < b->site);
}

static size_t copy_sites(__u64 *const *from, size_t count, struct place_site *sites)
{
	for (size_t i = 0; i < count; i++)
		sites[i].site = *from[i];
	return count;
}

/* Every site of the profile, some more than once; sites has room for them. Returns their number. */
static size_t list_sites(const struct profile *profile, struct place_site *sites)
{
	__u64 *found[SITES_OF_INTERVAL];
	size_t count = 0;

	for (size_t i = 0; i < profile->call_count; i++)
		sites[count++].site = profile->calls[i].key.site;
	for (size_t i = 0; i < profile->stacks.site_count; i++)
		sites[count++].site = profile->stacks.sites[i];
	for (size_t i = 0; i < profile->samples.rows.count; i++) {
		struct scaler_sample sample = samples_rows(&profile->samples)[i].sample;

		count += copy_sites(found, sites_of_sample(&sample, found), sites + count);
	}
	for (size_t i = 0; i < profile->blocking.count; i++)
		count += copy_sites(found, sites_of_interval(&profile->blocking.items[i], found),
				    sites + count);
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

/* Those that have no place yet, out of all of the profile. */
static int collect_sites(const struct profile *profile, const struct wait_things *others,
			 const struct places *places, struct place_site **result, size_t *result_count)
{
	size_t most = profile->call_count + profile->stacks.site_count +
		      SITES_OF_SAMPLE * profile->samples.rows.count +
		      SITES_OF_INTERVAL * profile->blocking.count + (others ? others->site_count : 0);
	struct place_site *sites = calloc(most + 1, sizeof(*sites));
	size_t count, kept = 0;

	if (!sites)
		return -ENOMEM;
	count = list_sites(profile, sites);
	for (size_t i = 0; others && i < others->site_count; i++)
		sites[count++].site = others->sites[i];
	count = sort_sites(sites, count);
	for (size_t i = 0; i < count; i++) {
		size_t known = places_find(places, sites[i].site);

		if (known == PLACE_NONE || !place_is_final(&places->items[known]))
			sites[kept++] = sites[i];
	}
	*result = sites;
	*result_count = kept;
	return 0;
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
	char path[KERNEL_PATH_TEXT_SIZE];

	if (component_has_build_id(description))
		component_format_build_id(description->build_id, fresh.build_id);
	if (component_path(description, path))
		fresh.path = strdup(path);
	if (fresh.name && (!component_path(description, path) || fresh.path))
		return places_add_component(places, &fresh);
	free(fresh.name);
	free(fresh.path);
	return -ENOMEM;
}

/* Gives the first sites, as many as lie in one component, a place each behind the others. Returns their number. */
static ssize_t resolve_component(const struct symbolizer *symbolizer, const struct profile *profile,
				 struct places *places, struct place_site *sites, size_t count)
{
	uint32_t number = scaler_site_component(sites[0].site);
	struct unnamed_places unnamed = {
		.description = profile_component(profile, number),
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
	unnamed.symbolizer = symbolizer;
	unnamed.component = &places->components[component];
	unnamed.component->problem = NULL;
	unnamed.component->is_moved |= unnamed.description->moved != 0;
	err = place_names_find(&unnamed);
	place_names_end(&unnamed);
	return err ? err : (ssize_t)unnamed.count;
}

static int resolve_sites(const struct symbolizer *symbolizer, const struct profile *profile,
			 struct places *places, struct place_site *sites, size_t count)
{
	struct place *items = reallocarray(places->items, places->count + count + 1, sizeof(*items));
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
		resolved = resolve_component(symbolizer, profile, places, sites + at, count - at);
		if (resolved < 0)
			return (int)resolved;
	}
	return places_add_sites(places, sites, count);
}

/* Of a component that may have no sites. */
static int name_component(const struct symbolizer *symbolizer, const struct profile *profile,
			  struct places *places, uint32_t number)
{
	const struct scaler_component *description = profile_component(profile, number);
	struct unnamed_places unnamed = { .description = description };
	__u8 build_id[SCALER_BUILD_ID_SIZE];
	ssize_t index;
	int fd, err;

	if (places_component(places, number) != PLACE_NONE)
		return 0;
	index = add_component(places, description, place_names_begin(&unnamed));
	place_names_end(&unnamed);
	err = index < 0 ? (int)index : places_number_component(places, number, (size_t)index);
	if (err)
		return err;
	fd = description->key.device && !*places->components[index].build_id ?
		     held_files_open(symbolizer->held, description) :
		     -1;
	if (fd < 0)
		return 0;
	if (component_read_build_id(fd, build_id))
		component_format_build_id(build_id, places->components[index].build_id);
	close(fd);
	return 0;
}

/* The components that call and are called. */
static int name_components(const struct symbolizer *symbolizer, const struct profile *profile,
			   struct places *places)
{
	int err = 0;

	for (size_t i = 0; i < profile->context_count && !err; i++) {
		const struct profile_context *context = &profile->contexts[i];

		if (context->key.caller < SCALER_COMPONENT_LIMIT)
			err = name_component(symbolizer, profile, places, context->key.caller);
		if (!err && context->context.component < SCALER_COMPONENT_LIMIT)
			err = name_component(symbolizer, profile, places, context->context.component);
	}
	return err;
}

static void name_interrupt(struct places *places, const struct scaler_waker *waker)
{
	uint32_t origin = waker->context == SCALER_WAKER_WORKQUEUE ? waker->queued_in : waker->context;

	if (origin == SCALER_WAKER_HARDIRQ && waker->vector != SCALER_VECTOR_NONE)
		interrupt_device_name(&places->interrupts, waker->vector);
}

/* Each is asked for once. */
static void name_devices(struct places *places, const struct profile *profile,
			 const struct wait_things *others)
{
	for (size_t i = 0; i < profile->blocking.request_count; i++)
		block_device_name(&places->disks, profile->blocking.requests[i].device);
	for (size_t i = 0; i < profile->blocking.count; i++)
		name_interrupt(places, &profile->blocking.items[i].waker);
	for (size_t i = 0; others && i < others->disk_count; i++)
		block_device_name(&places->disks, others->disks[i]);
	for (size_t i = 0; others && i < others->interrupt_count; i++)
		interrupt_device_name(&places->interrupts, others->interrupts[i]);
}

int symbolize(const struct symbolizer *symbolizer, struct places *places, const struct profile *profile,
	      const struct wait_things *others)
{
	struct place_site *sites = NULL;
	size_t count = 0;
	bool has_calls = false;
	int err = collect_sites(profile, others, places, &sites, &count);

	if (!err && count)
		err = resolve_sites(symbolizer, profile, places, sites, count);
	free(sites);
	if (!err)
		err = called_names_add(symbolizer, profile, places, &has_calls);
	if (!err && (count || has_calls))
		err = places_merge(places);
	name_devices(places, profile, others);
	places->given_up = symbolizer->search ? symbolizer->search->given_up : NULL;
	return err ?: name_components(symbolizer, profile, places);
}
