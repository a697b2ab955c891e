// SPDX-License-Identifier: GPL-2.0-only
/* Running time summed by the threads' names and by function. */
#include "analysis/runs_table.h"

#include <errno.h>
#include <string.h>

#include "analysis/name_group.h"
#include "model/places.h"
#include "base/array.h"

struct function_key {
	char name[SCALER_COMM_SIZE];
	uint64_t function;
};

struct function_sum {
	struct function_key key;
	uint64_t running_ns;
};

struct name_sum {
	char name[SCALER_COMM_SIZE];
	struct runs runs;
};

/* NULL: there is none. */
static const struct named_thread *find_thread(const struct namings *namings, uint32_t serial)
{
	const struct named_thread *threads = namings->items;
	size_t low = 0, high = namings->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (threads[middle].row->serial < serial)
			low = middle + 1;
		else
			high = middle;
	}
	return low < namings->count && threads[low].row->serial == serial ? &threads[low] : NULL;
}

static int add(struct runs_table *table, const struct named_thread *thread, size_t function,
	       uint64_t running_ns)
{
	struct function_key key = { .function = function };
	size_t name = distinct_add(&table->names, thread->merged, SCALER_COMM_SIZE, sizeof(struct name_sum));
	struct function_sum *sum;
	struct runs *runs;
	size_t index;

	memcpy(key.name, thread->merged, sizeof(key.name));
	index = distinct_add(&table->functions, &key, sizeof(key), sizeof(*sum));
	if (name == SIZE_MAX || index == SIZE_MAX)
		return -ENOMEM;
	sum = &((struct function_sum *)table->functions.items)[index];
	sum->running_ns += running_ns;
	runs = &((struct name_sum *)table->names.items)[name].runs;
	runs->running_ns += running_ns;
	/* Sums only grow: the largest at the end has been that when it was added to last. */
	if (sum->running_ns > runs->function_ns) {
		runs->function = function;
		runs->function_ns = sum->running_ns;
	}
	return 0;
}

/* In a system call or outside of them. */
static uint64_t running_ns_of(const struct path_part *part)
{
	struct time_figures figures = { 0 };

	path_part_add(part, &figures);
	return figures.time_ns[SCALER_RUNNING];
}

int runs_table_make(const struct namings *namings, const struct path_parts *parts,
		    const struct places *places, struct runs_table *table)
{
	int err = 0;

	*table = (struct runs_table){ 0 };
	for (size_t i = 0; i < parts->count && !err; i++) {
		const struct path_part *part = &parts->items[i];
		const struct named_thread *thread = find_thread(namings, part->task);
		uint64_t running_ns = running_ns_of(part);

		if (thread && running_ns && part->path.entered != PLACE_NONE &&
		    !place_is_tracer(places, part->path.entered))
			err = add(table, thread, part->path.entered, running_ns);
	}
	return err;
}

int runs_table_of_threads(const struct thread_summary *threads, const struct path_parts *parts,
			  const struct places *places, struct runs_table *table)
{
	struct namings namings = { 0 };
	int err = namings_make(threads, false, &namings);

	*table = (struct runs_table){ 0 };
	err = err ?: runs_table_make(&namings, parts, places, table);
	namings_clear(&namings);
	return err;
}

struct runs runs_table_find(const struct runs_table *table, const char name[SCALER_COMM_SIZE])
{
	struct runs none = { .function = PLACE_NONE };
	char merged[SCALER_COMM_SIZE];
	size_t index;

	memcpy(merged, name, sizeof(merged));
	name_group_merge(merged);
	index = distinct_find(&table->names, merged, SCALER_COMM_SIZE, sizeof(struct name_sum));
	return index == SIZE_MAX ? none : ((const struct name_sum *)table->names.items)[index].runs;
}

void runs_table_clear(struct runs_table *table)
{
	distinct_clear(&table->names);
	distinct_clear(&table->functions);
}
