/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums and differences of the figures of calls. */
#ifndef SCALER_MODEL_CALL_STATS_H
#define SCALER_MODEL_CALL_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/record.h>

void call_stats_add(struct scaler_call_stats *sum, const struct scaler_call_stats *more);
void call_stats_add_partial(struct scaler_partial_calls *sum, const struct scaler_partial_calls *more);

/* What came since, of figures that were these before. The longest of those calls is known to its bucket, unless it is the longest of all. */
struct scaler_call_stats call_stats_since(const struct scaler_call_stats *before,
					  const struct scaler_call_stats *after);

/* The sum of all groups of windows, as the kernel side has it. */
struct scaler_sampled_calls call_stats_sampled(const struct scaler_call_stats *stats);
/* Whether anything in it stands for more than itself. */
bool call_stats_is_sampled(const struct scaler_call_stats *stats);
/* In how many calls the sleeps were whose beginning was missed: in as many as those that were, or one in each if none was. */
uint64_t call_stats_unseen_calls(const struct scaler_call_stats *stats);
/* How often something was added, calls of windows by their weights: what scaler_thread.calls counts. */
uint64_t call_stats_additions(const struct scaler_call_stats *stats);

#endif
