/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of rows that are sums of library calls: what stands first in such a row is a struct library_figures. */
#ifndef SCALER_RENDER_LIBRARY_COLUMNS_H
#define SCALER_RENDER_LIBRARY_COLUMNS_H

#include "analysis/library_figures.h"
#include "render/column.h"

/* A column in a line or two. */
/* clang-format off */
#define LIBRARY_FIGURES_COLUMNS                                                                              \
	{ COLUMN_COUNT, 0, "CALLS", "calls", NULL, FIELD(struct library_figures, calls), .is_order = true,   \
	  .mark = library_sampled_mark, SUMMED },                                                            \
	{ COLUMN_COUNT, 0, NULL, "untimed",                                                                  \
	  "of \"calls\": seen only as they began, because a probe on the return might have done harm, or "   \
	  "64 calls were open; no other figure has them", FIELD(struct library_figures, untimed) },          \
	{ COLUMN_COUNT, 0, NULL, "partial",                                                                  \
	  "of \"calls\": left without a return, or not over when the recording or their thread ended; "      \
	  "what is known of their times is in the sums", FIELD(struct library_figures, partial) },           \
	{ COLUMN_COUNT, 3, "TIMED", NULL, "of the calls: those whose return was seen, too",                  \
	  .cell = library_timed_cell, SUMMED },                                                              \
	{ COLUMN_TIME, 0, "TOTAL", "total_ns",                                                               \
	  "from entry to return; of calls within calls of the same function nothing",                        \
	  FIELD(struct library_figures, total.total_ns), .cell = library_total_cell, SUMMED },               \
	{ COLUMN_TIME, 1, "SELF", NULL, "the total without the time in timed calls that these made",         \
	  .cell = library_self_cell, SUMMED },                                                               \
	{ COLUMN_TIME, 0, NULL, "runnable_ns", "of the total: waiting for a CPU",                            \
	  FIELD(struct library_figures, total.runnable_ns) },                                                \
	{ COLUMN_TIME, 1, "BLOCKED", "blocked_ns", "of the total: asleep",                                   \
	  FIELD(struct library_figures, total.blocked_ns), .cell = library_blocked_cell, SUMMED },           \
	{ COLUMN_OBJECT, 0, NULL, "self", "the same times without those in timed calls that these made",     \
	  .object = library_self_object, .type = "library_times" },                                          \
	{ COLUMN_OBJECT, 0, NULL, "sampled", NULL, .object = library_sampled_object,                         \
	  .type = "call_ranges" }
/* clang-format on */

const char *library_sampled_mark(const void *row);
void library_timed_cell(struct table *table, const struct report *report, const void *row);
void library_total_cell(struct table *table, const struct report *report, const void *row);
void library_self_cell(struct table *table, const struct report *report, const void *row);
void library_blocked_cell(struct table *table, const struct report *report, const void *row);
json_t *library_self_object(const struct report *report, const void *row);
json_t *library_sampled_object(const struct report *report, const void *row);

/* Of the figures alone. */
extern const struct row_type library_figures_type;

#endif
