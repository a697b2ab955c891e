// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel side has to know of library functions: what their probes cost, and what makes a return probe harmful. */
#include "probe/library_description.h"

#include <unistd.h>

#include "target/probe_site.h"

/*
 * What the kernel side has to know of each new function. What is at its beginning tells what a hit costs; and a refusal
 * that is known in advance saves rounds of halving.
 */
void library_describe_functions(const struct library_probes *probes, uint32_t file, int fd)
{
	for (size_t i = probes->described; i < probes->plan->function_count; i++) {
		struct scaler_function *shared = &probes->kernel->functions[i + 1];
		struct plan_function *function = &probes->plan->functions[i];
		uint8_t code[PROBE_SITE_BYTES];
		ssize_t got;

		if (function->file != file || function->omission)
			continue;
		got = fd < 0 ? 0 : pread(fd, code, sizeof(code), (off_t)function->offset);
		if (got <= 0 || probe_site_is_refused(code, (size_t)got)) {
			function->omission = fd < 0 ? PLAN_GONE : PLAN_REFUSED;
			continue;
		}
		function->site = probe_site_kind(code, (size_t)got);
		shared->return_ns = probes->costs.return_ns[function->site];
		shared->within_ns = probes->costs.within_ns[function->site];
		shared->hazards = probes->where.returns != RETURN_PROBES_ALL ? function->hazards : 0;
	}
}

/* The kernel asks each link on a function, at each hit in any of the processes, whether it is meant. */
void library_describe_costs(const struct library_probes *probes, uint32_t file)
{
	uint32_t others = (uint32_t)probed_places_count_of_file(&probes->places, file);

	others -= others != 0;
	for (size_t i = 0; i < probes->plan->function_count; i++) {
		const struct plan_function *function = &probes->plan->functions[i];

		if (function->file == file)
			probes->kernel->functions[i + 1].entry_ns =
				probes->costs.entry_ns[function->site] + others * probes->costs.other_link_ns;
	}
}
