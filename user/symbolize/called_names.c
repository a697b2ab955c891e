// SPDX-License-Identifier: GPL-2.0-only
/* Calls between components: collect the new ones, read the callers' instructions, look the names up in what they call. */
#include "symbolize/called_names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "parser/code.h"
#include "parser/names.h"
#include "target/held_files.h"

struct naming {
	uint64_t caller; /* a site, as is the next */
	uint64_t callee;
	char *name; /* owned; as the caller's linker has it, not trusted; NULL: nothing tells it */
};

struct namings {
	struct naming *items; /* owned */
	size_t count;
	size_t capacity;
};

static int compare_by_caller(const void *left, const void *right)
{
	const struct naming *a = left, *b = right;

	return array_order(a->caller, b->caller) ?:
		       array_order(scaler_site_component(a->callee), scaler_site_component(b->callee));
}

static int compare_by_callee(const void *left, const void *right)
{
	const struct naming *a = left, *b = right;

	return array_order(scaler_site_component(a->callee), scaler_site_component(b->callee)) ?:
		       array_order(a->caller, b->caller);
}

static bool is_in_file(uint64_t site)
{
	uint32_t component = scaler_site_component(site);

	return component != SCALER_COMPONENT_NONE && component < SCALER_COMPONENT_TRACER;
}

static int add_naming(struct namings *namings, const struct places *places, uint64_t caller, uint64_t callee)
{
	struct naming *items;

	if (!is_in_file(caller) || !is_in_file(callee) ||
	    scaler_site_component(caller) == scaler_site_component(callee) ||
	    places_has_call(places, caller, scaler_site_component(callee)))
		return 0;
	items = array_reserve(namings->items, namings->count, &namings->capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	namings->items = items;
	items[namings->count++] = (struct naming){ .caller = caller, .callee = callee };
	return 0;
}

/* The site of a sample, and that which its stack says it was called from. */
static int add_leaf(struct namings *namings, const struct places *places, struct stacks *stacks,
		    const struct scaler_sample *sample)
{
	const struct stack *stack = sample->site && sample->kind != SCALER_SAMPLE_IN_CALL ?
					    stacks_find(stacks, sample->stack) :
					    NULL;

	return stack && stack->count ?
		       add_naming(namings, places, stacks->sites[stack->first], sample->site) :
		       0;
}

static int collect(struct namings *namings, struct profile *profile, const struct places *places)
{
	struct stacks *stacks = &profile->stacks;
	int err = 0;

	for (size_t i = 0; i < stacks->count && !err; i++) {
		const __u64 *sites = stacks->sites + stacks->items[i].first;

		for (size_t at = 1; at < stacks->items[i].count && !err; at++)
			err = add_naming(namings, places, sites[at], sites[at - 1]);
	}
	for (size_t i = 0; i < profile->samples.rows.count && !err; i++)
		err = add_leaf(namings, places, stacks, &samples_rows(&profile->samples)[i].sample);
	for (size_t i = 0; i < profile->blocking.count && !err; i++) {
		const struct scaler_blocking_interval *interval = &profile->blocking.items[i];

		err = add_leaf(namings, places, stacks, &interval->where) ?:
			      add_leaf(namings, places, stacks, &interval->waker.where);
	}
	return err;
}

static void drop_repeated(struct namings *namings)
{
	size_t kept = 0;

	if (namings->count)
		qsort(namings->items, namings->count, sizeof(*namings->items), compare_by_caller);
	for (size_t i = 0; i < namings->count; i++) {
		if (!i || compare_by_caller(&namings->items[kept - 1], &namings->items[i]))
			namings->items[kept++] = namings->items[i];
	}
	namings->count = kept;
}

static int open_file(const struct symbolizer *symbolizer, const struct profile *profile, uint32_t component)
{
	const struct scaler_component *description = profile_component(profile, component);

	return description->key.device ? held_files_open(symbolizer->held, description) : -ENOENT;
}

/* What the call instructions of one component lead to. 0 or -ENOMEM. */
static int name_by_callers(const struct symbolizer *symbolizer, const struct profile *profile,
			   struct naming *items, size_t count)
{
	int fd = open_file(symbolizer, profile, scaler_site_component(items[0].caller)), err;
	uint64_t *offsets = calloc(count + 1, sizeof(*offsets));
	char **names = calloc(count + 1, sizeof(*names));

	err = offsets && names ? fd : -ENOMEM;
	for (size_t i = 0; i < count && offsets; i++)
		offsets[i] = scaler_site_offset(items[i].caller);
	if (err >= 0)
		err = parser_find_targets(parser_shared(), fd, offsets, count, names);
	for (size_t i = 0; i < count && !err; i++)
		items[i].name = names[i];
	free(offsets);
	free(names);
	if (fd >= 0)
		close(fd);
	return err == -ENOMEM ? err : 0;
}

static int compare_exports(const void *left, const void *right)
{
	const struct linkage_export *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static void forget_name(struct naming *naming)
{
	free(naming->name);
	naming->name = NULL;
}

/* Forgets the names that one component does not export: another's function went on to one of its own. 0 or -ENOMEM. */
static int check_exports(const struct symbolizer *symbolizer, const struct profile *profile,
			 struct naming *items, size_t count)
{
	int fd = open_file(symbolizer, profile, scaler_site_component(items[0].callee));
	struct linkage linkage = { 0 };
	int err = fd < 0 ? fd : parser_read_linkage(parser_shared(), fd, &linkage);

	if (!err)
		qsort(linkage.exports, linkage.export_count, sizeof(*linkage.exports), compare_exports);
	for (size_t i = 0; i < count; i++) {
		const struct linkage_export wanted = { .name = items[i].name };

		if (err || !wanted.name || !linkage.export_count ||
		    !bsearch(&wanted, linkage.exports, linkage.export_count, sizeof(wanted), compare_exports))
			forget_name(&items[i]);
	}
	linkage_clear(&linkage);
	if (fd >= 0)
		close(fd);
	return err == -ENOMEM ? err : 0;
}

typedef int (*naming_step)(const struct symbolizer *symbolizer, const struct profile *profile,
			   struct naming *items, size_t count);

/* Takes the step for those of each component together. */
static int for_each_component(const struct symbolizer *symbolizer, const struct profile *profile,
			      struct namings *namings, bool by_caller, naming_step step)
{
	struct naming *items = namings->items;
	size_t at = 0;
	int err = 0;

	qsort(items, namings->count, sizeof(*items), by_caller ? compare_by_caller : compare_by_callee);
	while (at < namings->count && !err) {
		size_t count = 1;

		while (at + count < namings->count &&
		       (by_caller ? scaler_site_component(items[at + count].caller) ==
					    scaler_site_component(items[at].caller) :
				    scaler_site_component(items[at + count].callee) ==
					    scaler_site_component(items[at].callee)))
			count++;
		err = step(symbolizer, profile, items + at, count);
		at += count;
	}
	return err;
}

/* The names that were found, as people have them. 0 or -ENOMEM. */
static int make_readable(struct namings *namings)
{
	const char **names = calloc(namings->count + 1, sizeof(*names));
	char **readable = calloc(namings->count + 1, sizeof(*readable));
	int err = names && readable ? 0 : -ENOMEM;

	for (size_t i = 0; i < namings->count && !err; i++)
		names[i] = namings->items[i].name;
	if (!err)
		err = parser_demangle(parser_shared(), names, namings->count, readable);
	for (size_t i = 0; i < namings->count && !err; i++) {
		if (readable[i]) {
			free(namings->items[i].name);
			namings->items[i].name = readable[i];
		}
	}
	free(names);
	free(readable);
	return err == -ENOMEM ? err : 0;
}

/* The names are the places' then. */
static int add_calls(struct places *places, const struct namings *namings)
{
	struct place_call *calls =
		reallocarray(places->calls, places->call_count + namings->count, sizeof(*calls));
	struct place *items = reallocarray(places->items, places->count + namings->count, sizeof(*items));

	places->calls = calls ?: places->calls;
	places->items = items ?: places->items;
	if (!calls || !items)
		return -ENOMEM;
	for (size_t i = 0; i < namings->count; i++) {
		struct naming *naming = &namings->items[i];
		struct place_call call = { .caller = naming->caller,
					   .component = scaler_site_component(naming->callee),
					   .place = PLACE_NONE };

		if (naming->name) {
			call.place = places->count;
			items[places->count++] = (struct place){
				.component = items[places_find(places, naming->callee)].component,
				.function = naming->name,
			};
			naming->name = NULL;
		}
		calls[places->call_count++] = call;
	}
	places_sort_calls(places);
	return 0;
}

int called_names_add(const struct symbolizer *symbolizer, const struct profile *profile,
		     struct places *places, bool *added)
{
	struct namings namings = { 0 };
	int err = collect(&namings, (struct profile *)profile, places);

	drop_repeated(&namings);
	if (!err && namings.count)
		err = for_each_component(symbolizer, profile, &namings, true, name_by_callers)        ?:
			      for_each_component(symbolizer, profile, &namings, false, check_exports) ?:
			      make_readable(&namings)                                                 ?:
			      add_calls(places, &namings);
	*added = namings.count;
	for (size_t i = 0; i < namings.count; i++)
		forget_name(&namings.items[i]);
	free(namings.items);
	return err;
}
