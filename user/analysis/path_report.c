// SPDX-License-Identifier: GPL-2.0-only
/* A critical path by names: segments that have the same ones are put together. */
#include "analysis/path_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What tells rows apart. */
struct path_key {
	struct chain_what_key what;
	struct chain_what_key cause; /* all zero: there is none */
};

struct path_sum {
	struct path_key key;
	struct path_row row;
};

static bool has_cause(const struct path_segment *segment)
{
	return segment->cause != CHAIN_WAIT;
}

struct path_row path_row_of(const struct wait_graph *graph, const struct path_segment *segment)
{
	struct path_row row = { .what = chain_what_of(graph, segment->kind, segment->shape),
				.cause = { .kind = CHAIN_WAIT } };

	if (has_cause(segment))
		row.cause = chain_what_of(graph, segment->cause, segment->cause_shape);
	return row;
}

static struct path_key make_key(const struct wait_graph *graph, const struct path_segment *segment)
{
	struct path_key key = { .what = chain_what_key_of(graph, segment->kind, segment->shape) };

	if (has_cause(segment))
		key.cause = chain_what_key_of(graph, segment->cause, segment->cause_shape);
	return key;
}

static void add_state(struct path_report *report, const struct path_segment *segment, uint64_t time_ns)
{
	if (segment->kind == CHAIN_RUNNING)
		report->running_ns += time_ns;
	else if (chain_kind_is_delay(segment->kind))
		report->runnable_ns += time_ns;
	else
		report->waiting_ns += time_ns;
}

static int add_segment(const struct wait_graph *graph, const struct path_segment *segment,
		       struct distinct *sums, struct path_report *report)
{
	const struct path_key key = make_key(graph, segment);
	uint64_t time_ns = segment->to_ns - segment->from_ns;
	size_t index = distinct_add(sums, &key, sizeof(key), sizeof(struct path_sum));
	struct path_row *row;

	if (index == SIZE_MAX)
		return -ENOMEM;
	row = &((struct path_sum *)sums->items)[index].row;
	if (!row->count)
		*row = path_row_of(graph, segment);
	chain_what_add(&row->what, graph, segment->shape);
	row->count++;
	row->total_ns += time_ns;
	if (time_ns > row->longest_ns)
		row->longest_ns = time_ns;
	add_state(report, segment, time_ns);
	return 0;
}

static int compare_sums(const void *left, const void *right)
{
	const struct path_sum *a = left, *b = right;

	return array_order(b->row.total_ns, a->row.total_ns) ?: memcmp(&a->key, &b->key, sizeof(a->key));
}

static int sum_segments(const struct wait_graph *graph, struct path_report *report)
{
	struct distinct sums = { 0 };
	struct path_sum *items;
	int err = 0;

	for (size_t i = 0; i < report->path.count && !err; i++)
		err = add_segment(graph, &report->path.segments[i], &sums, report);
	report->rows = err ? NULL : calloc(sums.count + 1, sizeof(*report->rows));
	items = sums.items;
	if (report->rows && sums.count)
		qsort(items, sums.count, sizeof(*items), compare_sums);
	for (size_t i = 0; i < sums.count && report->rows; i++)
		report->rows[report->row_count++] = items[i].row;
	err = report->rows ? 0 : -ENOMEM;
	distinct_clear(&sums);
	return err;
}

int path_report_make(const struct wait_graph *graph, const struct path_options *options,
		     struct path_report *report)
{
	const struct path_choice *choice = &report->choice;
	int err = 0;

	*report = (struct path_report){ .choice = path_choose(graph->profile, options) };
	if (choice->thread)
		err = critical_path_find(graph->history, choice->thread->serial, choice->from_ns,
					 choice->to_ns, &report->path);
	return err ?: sum_segments(graph, report);
}

void path_report_clear(struct path_report *report)
{
	critical_path_clear(&report->path);
	free(report->rows);
	*report = (struct path_report){ 0 };
}
