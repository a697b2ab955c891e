// SPDX-License-Identifier: GPL-2.0-only
/* The kernel side of library calls: its maps are shared memory. */
#include "probe/library_kernel.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "probe/recorder.h"
#include "scaler.skel.h"

static size_t map_length(size_t rows, size_t row_bytes)
{
	size_t page = (size_t)getpagesize();

	return (rows * row_bytes + page - 1) / page * page;
}

static size_t functions_length(const struct library_kernel *kernel)
{
	return map_length(kernel->function_count + 1, sizeof(*kernel->functions));
}

static size_t costs_length(const struct library_kernel *kernel)
{
	return map_length(kernel->cpu_count * (kernel->function_count + 1), sizeof(*kernel->costs));
}

static void *map_rows(const struct bpf_map *map, size_t length, int protection)
{
	void *rows = mmap(NULL, length, protection, MAP_SHARED, bpf_map__fd(map), 0);

	return rows == MAP_FAILED ? NULL : rows;
}

int library_kernel_open(struct library_kernel *kernel, const struct scaler_skeleton *skeleton,
			size_t functions)
{
	int err;

	*kernel = (struct library_kernel){
		.hit_fd = bpf_program__fd(skeleton->progs.scaler_library_hit),
		.nothing_fd = bpf_program__fd(skeleton->progs.scaler_library_nothing),
		.nothing_least_ns = (uint64_t *)&skeleton->bss->nothing_least_ns,
		.burst_ns = (uint64_t *)&skeleton->bss->library_burst_ns,
		.cost_alert_fd = bpf_map__fd(skeleton->maps.library_alerts),
		.components_fd = bpf_map__fd(skeleton->maps.components),
		.process_event_fd = bpf_map__fd(skeleton->maps.process_events),
		.probed_files_fd = bpf_map__fd(skeleton->maps.probed_files),
		.probed_places_fd = bpf_map__fd(skeleton->maps.probed_places),
		.probed_processes_fd = bpf_map__fd(skeleton->maps.probed_processes),
		.function_count = functions,
		.cpu_count = (size_t)libbpf_num_possible_cpus(),
	};
	kernel->functions =
		map_rows(skeleton->maps.library_functions, functions_length(kernel), PROT_READ | PROT_WRITE);
	if (kernel->functions)
		kernel->costs = map_rows(skeleton->maps.library_costs, costs_length(kernel), PROT_READ);
	err = kernel->costs ? 0 : -errno;
	if (err)
		library_kernel_close(kernel);
	return err;
}

uint64_t library_kernel_cost_ns(const struct library_kernel *kernel, size_t number)
{
	uint64_t sum_ns = 0;

	for (size_t cpu = 0; cpu < kernel->cpu_count; cpu++)
		sum_ns += kernel->costs[cpu * (kernel->function_count + 1) + number].spent_ns;
	return sum_ns;
}

void library_kernel_close(struct library_kernel *kernel)
{
	if (kernel->functions)
		munmap(kernel->functions, functions_length(kernel));
	if (kernel->costs)
		munmap((void *)kernel->costs, costs_length(kernel));
	*kernel = (struct library_kernel){ 0 };
}
