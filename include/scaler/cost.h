/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tracer's programs take from the threads that are traced, and for how long these have run: by CPU. */
#ifndef SCALER_COST_H
#define SCALER_COST_H

#include <linux/types.h>

/* What programs run at. */
enum scaler_cost_kind {
	SCALER_COST_CALLS,    /* entries and exits of system calls */
	SCALER_COST_SWITCHES, /* and wakeups */
	SCALER_COST_SAMPLES,
	SCALER_COST_PROBES, /* on library functions, with what it takes to get to their programs */
	SCALER_COST_KINDS,
};

struct scaler_cost {
	__u64 hits;
	__u64 spent_ns;      /* by the programs, estimated; not what the kernel takes to run them */
	__u64 timed_hit;     /* the next one that is timed */
	__u64 stands_for;    /* and for how many */
	__u64 timed_from_ns; /* when that began, while it runs; 0: none is timed */
};

/* Written by its CPU alone. */
struct scaler_cpu_cost {
	__u64 running_ns; /* of traced threads, the tracer's part included, up to the latest that was switched out */
	__u64 running_since_ns; /* when the one that runs was switched in, CLOCK_MONOTONIC; 0: none does */
	__u64 counted_calls; /* system calls that were entered while they were counted only: call_window.h */
	__u64 counted_own_calls; /* the same of the tracer, which measures with its own what that takes */
	struct scaler_cost of[SCALER_COST_KINDS];
	/* Of probes: the latest look, CLOCK_MONOTONIC, what had been spent by then, and by how much that was above the budget. */
	__u64 probes_checked_ns;
	__u64 probes_seen_ns;
	__u64 probes_overrun_ns;
};
_Static_assert(sizeof(struct scaler_cpu_cost) == 216, "shared layout");

/*
 * One hit in this number is timed, on average: at random, because calls may take turns with their exits and each other. A
 * power of two.
 */
#define SCALER_COST_TIMED_HITS 16

/* User space's sum over all CPUs, since the beginning; what the kernel takes to run the programs is in it where it was measured. */
struct scaler_spending {
	__u64 time_ns; /* when it was so, CLOCK_MONOTONIC */
	__u64 running_ns;
	__u64 spent_ns[SCALER_COST_KINDS];
	__u64 call_hits;
	__u64 counted_calls;
};

static inline __u64 scaler_spending_sum_ns(const struct scaler_spending *spending)
{
	__u64 sum_ns = 0;

	for (int kind = 0; kind < SCALER_COST_KINDS; kind++)
		sum_ns += spending->spent_ns[kind];
	return sum_ns;
}

/* What of the threads' running time is their own. */
static inline __u64 scaler_spending_own_ns(const struct scaler_spending *spending)
{
	__u64 spent_ns = scaler_spending_sum_ns(spending);

	return spending->running_ns > spent_ns ? spending->running_ns - spent_ns : 0;
}

/* What came since. */
static inline struct scaler_spending scaler_spending_since(const struct scaler_spending *before,
							   const struct scaler_spending *after)
{
	struct scaler_spending since = *after;

	since.time_ns -= before->time_ns;
	since.running_ns -= before->running_ns;
	for (int kind = 0; kind < SCALER_COST_KINDS; kind++)
		since.spent_ns[kind] -= before->spent_ns[kind];
	since.call_hits -= before->call_hits;
	since.counted_calls -= before->counted_calls;
	return since;
}

static inline void scaler_spending_add(struct scaler_spending *sum, const struct scaler_spending *more)
{
	sum->time_ns += more->time_ns;
	sum->running_ns += more->running_ns;
	for (int kind = 0; kind < SCALER_COST_KINDS; kind++)
		sum->spent_ns[kind] += more->spent_ns[kind];
	sum->call_hits += more->call_hits;
	sum->counted_calls += more->counted_calls;
}

#endif
