// SPDX-License-Identifier: GPL-2.0-only
/* Kept are functions by their offsets in the file. */
#include "plan/costly_cache.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "plan/file_cache.h"
#include "target/component.h"

/* After as many runs, one after the other, in which it does not cost too much, it is like all others. */
#define MOST_IDLE_RUNS 8

struct costly_function {
	uint64_t offset;
	uint32_t idle_runs; /* since it cost too much */
	uint32_t zero;
};

struct costly_functions {
	struct costly_function *items; /* owned; by offset */
	size_t count;
};

static struct file_cache_key key_of(const struct costly_file *costly)
{
	const struct scaler_component *component = &costly->file->component;

	return (struct file_cache_key){
		.kind = "costly",
		.rules = COSTLY_RULES,
		.fd = costly->fd,
		.build_id = component_has_build_id(component) ? component->build_id : NULL,
	};
}

static int load(const struct costly_file *costly, struct costly_functions *kept)
{
	const struct file_cache_key key = key_of(costly);
	void *bytes = NULL;
	size_t size = 0;
	int err = file_cache_load(&key, &bytes, &size);

	*kept = (struct costly_functions){ .items = bytes, .count = size / sizeof(*kept->items) };
	return err == -ENOENT ? 0 : err;
}

static struct costly_function *find(const struct costly_functions *kept, uint64_t offset)
{
	size_t below = array_count_below(kept->items, kept->count, sizeof(*kept->items), offset);

	return below < kept->count && kept->items[below].offset == offset ? &kept->items[below] : NULL;
}

int costly_cache_load(const struct costly_file *costly, struct plan *plan)
{
	struct costly_functions kept = { 0 };
	int err = costly->fd >= 0 ? load(costly, &kept) : 0;

	for (size_t i = 0; i < plan->function_count && kept.count && !err; i++) {
		struct plan_function *function = &plan->functions[i];

		if (function->file == costly->number)
			function->was_costly = find(&kept, function->offset);
	}
	free(kept.items);
	return err;
}

static bool is_costly(const struct plan_function *function)
{
	return function->unhooked_ns && !function->omission;
}

/* Whether anything is to be kept otherwise than it is. */
static bool has_news(const struct costly_file *costly, const struct plan *plan)
{
	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (function->file == costly->number && (function->was_costly || is_costly(function)))
			return true;
	}
	return false;
}

static int compare_functions(const void *left, const void *right)
{
	const struct costly_function *a = left, *b = right;

	return array_order(a->offset, b->offset);
}

static void note(struct costly_functions *kept, const struct plan_function *function, size_t sorted)
{
	const struct costly_functions before = { kept->items, sorted };
	struct costly_function *found = find(&before, function->offset);

	if (found)
		found->idle_runs = is_costly(function) ? 0 : found->idle_runs + 1;
	else if (is_costly(function))
		kept->items[kept->count++] = (struct costly_function){ .offset = function->offset };
}

static void drop_idle(struct costly_functions *kept)
{
	size_t count = 0;

	for (size_t i = 0; i < kept->count; i++) {
		if (kept->items[i].idle_runs < MOST_IDLE_RUNS)
			kept->items[count++] = kept->items[i];
	}
	kept->count = count;
}

void costly_cache_store(const struct costly_file *costly, const struct plan *plan)
{
	const struct file_cache_key key = key_of(costly);
	struct costly_functions kept = { 0 };
	struct costly_function *more;
	size_t sorted;

	if (costly->fd < 0 || !has_news(costly, plan) || load(costly, &kept))
		return;
	sorted = kept.count;
	more = reallocarray(kept.items, kept.count + plan->function_count + 1, sizeof(*more));
	if (more) {
		kept.items = more;
		for (size_t i = 0; i < plan->function_count; i++) {
			if (plan->functions[i].file == costly->number)
				note(&kept, &plan->functions[i], sorted);
		}
		drop_idle(&kept);
		qsort(kept.items, kept.count, sizeof(*kept.items), compare_functions);
		file_cache_store(&key, kept.items, kept.count * sizeof(*kept.items));
	}
	free(kept.items);
}
