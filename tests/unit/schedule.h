/* SPDX-License-Identifier: GPL-2.0-only */
/* Made-up schedules: threads that run, block, and wake each other, as a seed decides. */
#ifndef SCALER_TESTS_SCHEDULE_H
#define SCALER_TESTS_SCHEDULE_H

#include <stdint.h>

#include "analysis/wait_chain.h"
#include "model/blocking_intervals.h"

#define SCHEDULE_TASKS   6 /* their serial numbers begin with 1 */
#define SCHEDULE_END     400
#define SCHEDULE_CREATED 4 /* this one is created by another, sooner or later or never */

/* The times of the threads off their CPUs, in the order in which the kernel side tells them. The caller clears them. */
void schedule_make(unsigned int seed, struct blocking_intervals *intervals);
/* The same, that ends at another time. */
void schedule_make_until(unsigned int seed, uint64_t end_ns, struct blocking_intervals *intervals);

/* The same intervals in another order. */
void schedule_shuffle(unsigned int seed, struct blocking_intervals *intervals);

/* A history of it: of every second thread it is known since when it ran. */
void schedule_history(const struct blocking_intervals *intervals, struct wait_history *history);

/* Whose history begins when; 0: with its first interval. */
uint64_t schedule_known_since(uint32_t task);

/* What a moment is put down to. */
struct schedule_cause {
	uint32_t task;
	uint32_t depth;
	enum chain_kind kind;
};

/* Of a moment within the interval's blocked part, or of the task's time; where the first cause has that depth. */
struct schedule_cause schedule_cause_of_wait(const struct blocking_intervals *intervals,
					     const struct scaler_blocking_interval *interval, uint64_t at_ns,
					     uint32_t depth);
struct schedule_cause schedule_cause_of_task(const struct blocking_intervals *intervals, uint32_t task,
					     uint64_t at_ns, uint32_t depth);

#endif
