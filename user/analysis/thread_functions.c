// SPDX-License-Identifier: GPL-2.0-only
/* Threads' top functions: sort calls and samples by thread and path, sum, keep the largest sum. */
#include "analysis/thread_functions.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

static int compare_parts(const void *left, const void *right)
{
	const struct path_part *a = left, *b = right;

	return array_order(a->task, b->task)                         ?:
		       array_order(a->path.entered, b->path.entered) ?:
		       array_order(a->path.innermost, b->path.innermost);
}

static int compare_serials(const void *left, const void *right)
{
	const struct thread_row *const *a = left, *const *b = right;

	return array_order((*a)->serial, (*b)->serial);
}

/* NULL without memory. The caller frees the array. */
static struct thread_row **sort_rows(struct thread_summary *summary)
{
	struct thread_row **rows = calloc(summary->row_count + 1, sizeof(struct thread_row *));

	for (size_t i = 0; i < summary->row_count && rows; i++)
		rows[i] = &summary->rows[i];
	if (rows)
		qsort(rows, summary->row_count, sizeof(struct thread_row *), compare_serials);
	return rows;
}

/* Of what one thread did by one path. */
static void take_path(struct thread_row *row, const struct call_path *path,
		      const struct time_figures *figures)
{
	if (path->entered == PLACE_NONE || figures->total_ns <= row->top_path_ns)
		return;
	row->top_path = *path;
	row->top_path_ns = figures->total_ns;
}

/* By samples, which may find more of a thread that hardly ran than it ran. row may be NULL. */
static void take_tracer(struct thread_summary *summary, struct thread_row *row, uint64_t tracer_ns)
{
	if (row) {
		uint64_t own_ns = row->figures.time_ns[SCALER_RUNNING] - row->figures.tracer_ns;

		tracer_ns = tracer_ns < own_ns ? tracer_ns : own_ns;
		row->figures.tracer_ns += tracer_ns;
	}
	summary->total.tracer_ns += tracer_ns;
}

int thread_functions_find(const struct path_parts *parts, const struct places *places,
			  struct thread_summary *summary)
{
	struct thread_row **rows = sort_rows(summary);
	size_t at = 0, row = 0;

	if (!rows)
		return -ENOMEM;
	qsort(parts->items, parts->count, sizeof(*parts->items), compare_parts);
	while (at < parts->count) {
		const struct path_part *first = &parts->items[at];
		bool is_tracer = place_is_tracer(places, first->path.entered), has_row;
		struct time_figures figures = { 0 };

		while (at < parts->count && !compare_parts(&parts->items[at], first))
			path_part_add(&parts->items[at++], &figures);
		while (row < summary->row_count && rows[row]->serial < first->task)
			row++;
		has_row = row < summary->row_count && rows[row]->serial == first->task;
		if (is_tracer)
			take_tracer(summary, has_row ? rows[row] : NULL, figures.total_ns);
		else if (has_row)
			take_path(rows[row], &first->path, &figures);
	}
	free(rows);
	return 0;
}
