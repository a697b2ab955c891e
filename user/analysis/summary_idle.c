// SPDX-License-Identifier: GPL-2.0-only
/* Waits that were not idle, summed by thread name and by function. */
#include "analysis/summary_idle.h"

#include <errno.h>
#include <string.h>

#include "analysis/name_group.h"

struct name_time {
	char merged[SCALER_COMM_SIZE];
	uint64_t time_ns;
};

struct function_time {
	uint64_t entered;
	uint64_t time_ns;
};

static int add(struct delayed_times *times, const struct chain_row *row)
{
	uint64_t entered = row->what.place.path.entered, time_ns = row->total_ns - row->idle_ns;
	char merged[SCALER_COMM_SIZE];
	size_t name, function;

	memcpy(merged, row->what.shape->key.comm, sizeof(merged));
	name_group_merge(merged);
	name = distinct_add(&times->names, merged, sizeof(merged), sizeof(struct name_time));
	function = distinct_add(&times->functions, &entered, sizeof(entered), sizeof(struct function_time));
	if (name == SIZE_MAX || function == SIZE_MAX)
		return -ENOMEM;
	((struct name_time *)times->names.items)[name].time_ns += time_ns;
	((struct function_time *)times->functions.items)[function].time_ns += time_ns;
	return 0;
}

int delayed_times_make(const struct chain_report *chains, const struct kernel_names *kernel,
		       struct delayed_times *times)
{
	int err = 0;

	*times = (struct delayed_times){ 0 };
	for (size_t i = 0; i < chains->row_count && !err; i += chains->rows[i].below + 1) {
		if (chains->rows[i].what.kind == CHAIN_WAIT &&
		    !kernel_names_have(kernel, chains->rows[i].what.shape->key.comm))
			err = add(times, &chains->rows[i]);
	}
	return err;
}

void delayed_times_clear(struct delayed_times *times)
{
	distinct_clear(&times->names);
	distinct_clear(&times->functions);
}

uint64_t delayed_times_of_name(const struct delayed_times *times, const char merged[SCALER_COMM_SIZE])
{
	size_t at = distinct_find(&times->names, merged, SCALER_COMM_SIZE, sizeof(struct name_time));

	return at == SIZE_MAX ? 0 : ((const struct name_time *)times->names.items)[at].time_ns;
}

uint64_t delayed_times_of_function(const struct delayed_times *times, uint64_t entered)
{
	size_t at = distinct_find(&times->functions, &entered, sizeof(entered), sizeof(struct function_time));

	return at == SIZE_MAX ? 0 : ((const struct function_time *)times->functions.items)[at].time_ns;
}
