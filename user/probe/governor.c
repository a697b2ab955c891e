// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the cost of probes within the budget. */
#include "probe/governor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "probe/budget.h"

/* A process that has probes. */
struct probed_process {
	pid_t pid;
	uint64_t began_ns; /* the CPU time that it had taken before */
	uint64_t running_ns;
};

struct governor {
	const struct library_kernel *kernel;
	struct library_probes *probes;
	struct budget budget;
	struct probed_process *processes; /* owned; none: everywhere */
	size_t process_count;
	size_t process_capacity;
	uint64_t ended_running_ns; /* of processes that are no longer among them */
	uint64_t began_ns;
};

/* 0: it has ended. */
static uint64_t process_cpu_ns(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &time) ? 0 : clock_ns(&time);
}

int governor_add_process(struct governor *governor, pid_t pid)
{
	struct probed_process *processes;

	for (size_t i = 0; i < governor->process_count; i++) {
		if (governor->processes[i].pid == pid)
			return 0;
	}
	processes = array_reserve(governor->processes, governor->process_count, &governor->process_capacity,
				  sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	governor->processes = processes;
	processes[governor->process_count++] =
		(struct probed_process){ .pid = pid, .began_ns = process_cpu_ns(pid) };
	return 0;
}

void governor_forget_process(struct governor *governor, pid_t pid)
{
	for (size_t i = 0; i < governor->process_count; i++) {
		if (governor->processes[i].pid != pid)
			continue;
		governor->ended_running_ns += governor->processes[i].running_ns;
		governor->processes[i] = governor->processes[--governor->process_count];
		return;
	}
}

static int add_processes(struct governor *governor)
{
	const struct library_probes *probes = governor->probes;
	int err = 0;

	for (size_t i = 0; i < probes->links.count && !err && !probes->where.everywhere; i++)
		err = governor_add_process(governor, probes->links.items[i].pid);
	return err;
}

int governor_open(struct governor **result, struct library_probes *probes, double share)
{
	struct governor *governor = calloc(1, sizeof(*governor));
	int err;

	if (!governor)
		return -ENOMEM;
	governor->kernel = probes->kernel;
	governor->probes = probes;
	governor->began_ns = clock_now_ns();
	err = budget_make(&governor->budget, share, governor->kernel->function_count);
	if (!err)
		err = add_processes(governor);
	if (err)
		governor_close(governor);
	else
		*result = governor;
	return err;
}

/* On all CPUs. */
static uint64_t function_cost_ns(const struct library_kernel *kernel, size_t number)
{
	uint64_t sum_ns = 0;

	for (size_t cpu = 0; cpu < kernel->cpu_count; cpu++)
		sum_ns += kernel->costs[cpu * (kernel->function_count + 1) + number].spent_ns;
	return sum_ns;
}

/* The probed processes' CPU time since the beginning; everywhere, all that the CPUs have. */
static uint64_t count_running_ns(struct governor *governor)
{
	uint64_t sum_ns = governor->ended_running_ns;

	if (governor->probes->where.everywhere)
		return (clock_now_ns() - governor->began_ns) * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	for (size_t i = 0; i < governor->process_count; i++) {
		struct probed_process *process = &governor->processes[i];
		uint64_t now_ns = process_cpu_ns(process->pid);

		if (now_ns > process->began_ns)
			process->running_ns = now_ns - process->began_ns;
		sum_ns += process->running_ns;
	}
	return sum_ns;
}

/* Marks those of a file that are to be taken out. */
static void note_unhooked(struct governor *governor, uint32_t file)
{
	struct plan *plan = governor->probes->plan;

	for (size_t i = 0; i < plan->function_count; i++) {
		struct scaler_function *shared = &governor->kernel->functions[i + 1];

		if (plan->functions[i].file != file || !governor->budget.functions[i].is_out ||
		    plan->functions[i].unhooked_ns)
			continue;
		if (!shared->unhooked_ns)
			shared->unhooked_ns = clock_now_ns();
		plan->functions[i].unhooked_ns = shared->unhooked_ns;
	}
}

/* A function that is to be taken out, and is not yet; NULL: there is none. */
static const struct plan_function *find_due(const struct governor *governor)
{
	const struct plan *plan = governor->probes->plan;

	for (size_t i = 0; i < plan->function_count; i++) {
		if (governor->budget.functions[i].is_out && !plan->functions[i].unhooked_ns)
			return &plan->functions[i];
	}
	return NULL;
}

int governor_look(struct governor *governor)
{
	const struct plan_function *due;
	int err = 0;

	library_probes_settle(governor->probes);

	for (size_t i = 0; i < governor->probes->plan->function_count; i++) {
		struct budget_function *function = &governor->budget.functions[i];

		function->cost_ns = function_cost_ns(governor->kernel, i + 1);
		function->is_out |= governor->kernel->functions[i + 1].unhooked_ns != 0;
	}
	budget_look(&governor->budget, count_running_ns(governor));
	while (!err && (due = find_due(governor))) {
		uint32_t file = due->file;

		note_unhooked(governor, file);
		err = library_probes_relink(governor->probes, file);
	}
	return err;
}

void governor_read(struct governor *governor, uint64_t *probes_ns, uint64_t *running_ns)
{
	*running_ns = count_running_ns(governor);
	*probes_ns = 0;
	for (size_t i = 0; i < governor->kernel->function_count; i++)
		*probes_ns += function_cost_ns(governor->kernel, i + 1);
}

void governor_close(struct governor *governor)
{
	if (!governor)
		return;
	budget_clear(&governor->budget);
	free(governor->processes);
	free(governor);
}
