/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of the threads' times: in system calls, by state and by category, and running outside of them. */
#ifndef SCALER_ANALYSIS_TIME_FIGURES_H
#define SCALER_ANALYSIS_TIME_FIGURES_H

#include <stdint.h>

#include <scaler/thread.h>

#include "analysis/report_options.h"
#include "analysis/sampled.h"
#include "analysis/thread_summary.h"
#include "model/profile.h"
#include "model/syscalls.h"

/* Partial calls (record.h, scaler_partial_calls) are included here and below. */
struct call_sum {
	uint64_t calls;
	uint64_t total_ns;
	uint64_t blocked_ns; /* of total_ns */
};

struct time_figures {
	uint64_t total_ns; /* the sum of the three */
	uint64_t time_ns[SCALER_STATE_COUNT];
	uint64_t calls;
	uint64_t errors;
	uint64_t samples;    /* that found threads running outside of calls */
	uint64_t sampled_ns; /* of the running time: what they stand for, an estimate */
	struct call_sum categories[CATEGORY_COUNT];
	struct sampled_sums calls_sampled; /* what calls and their running time are estimated by */
};

/* Adds a row of the fold; its total is that of the three states. */
void time_figures_add_call(struct time_figures *sum, const struct profile_call *call);
void time_figures_add_samples(struct time_figures *sum, uint64_t samples, uint64_t running_ns);
void time_figures_add(struct time_figures *sum, const struct time_figures *more);
/* Adds what the figures say, without categories. */
void call_sum_add(struct call_sum *sum, const struct time_figures *more);

/* What rows are sorted by; keys that there is no figure for stand for the total. */
uint64_t time_figures_value(const struct time_figures *figures, enum sort_key sort);

#endif
