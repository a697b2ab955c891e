// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel side has to know of library functions: what their probes cost, and how their calls end. */
#include "probe/library_description.h"

static void describe_end(const struct probe_costs *costs, const struct plan_function *function,
			 struct scaler_function *shared)
{
	bool is_timed = !plan_untimed(function);

	shared->exit_ns = is_timed ? costs->exit_ns : 0;
	shared->within_ns = is_timed ? costs->within_ns[function->site] : 0;
	shared->jumps_on = function->jumps_on;
	/* Last: from then on calls count on it. */
	__atomic_store_n(&shared->ends_at_exits, is_timed, __ATOMIC_SEQ_CST);
}

/* The kernel asks each link on a function, at each hit in any of the processes, whether it is meant. */
void library_describe_links(const struct library_probes *probes, uint32_t file)
{
	uint32_t others = (uint32_t)probed_places_count_of_file(&probes->places, file);

	others -= others != 0;
	for (size_t i = 0; i < probes->plan->function_count; i++) {
		const struct plan_function *function = &probes->plan->functions[i];
		struct scaler_function *shared = &probes->kernel->functions[i + 1];

		if (function->file != file)
			continue;
		shared->entry_ns =
			probes->costs.entry_ns[function->site] + others * probes->costs.other_link_ns;
		describe_end(&probes->costs, function, shared);
	}
}
