/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel side of library calls, as far as what attaches it and governs its cost needs it: programs and maps. */
#ifndef SCALER_PROBE_LIBRARY_KERNEL_H
#define SCALER_PROBE_LIBRARY_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/library.h>

/* All descriptors are the skeleton's; programs that were not loaded have negative ones. */
struct library_kernel {
	int hit_fd;                 /* of the program at functions' entries and exits */
	int nothing_fd;             /* what probe_cost.h wants */
	uint64_t *nothing_least_ns; /* the least time that it saw between an entry and an exit; to be reset */
	uint64_t *burst_ns;         /* what probes may run up on a CPU before an alert */
	int cost_alert_fd;          /* of the ring buffer that tells that a function costs too much */
	int components_fd;          /* of the map of components, by number */
	int process_event_fd;       /* of that with processes that may have other code than they had */
	int probed_files_fd;        /* of the map of files with probes */
	int probed_places_fd;       /* of that of the places in them */
	int probed_processes_fd;    /* of that of processes: enum scaler_probing */
	size_t function_count;
	size_t cpu_count;
	struct scaler_function *functions; /* by number, from 1; mapped, as is the next */
	struct spending_meter *meter;      /* the recorder's */
	/* By CPU, and each CPU's by number: a row more than there are functions. */
	const struct scaler_function_cost *costs;
};

struct scaler_skeleton;
struct spending_meter;

/* Of a skeleton that has been loaded for so many functions, above 0. Returns 0 or a negative errno, with nothing to close. */
int library_kernel_open(struct library_kernel *kernel, const struct scaler_skeleton *skeleton,
			size_t functions);
void library_kernel_close(struct library_kernel *kernel);

/* What the probes of the function with that number have cost by now, on all CPUs. */
uint64_t library_kernel_cost_ns(const struct library_kernel *kernel, size_t number);

#endif
