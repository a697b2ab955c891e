// SPDX-License-Identifier: GPL-2.0-only
/* Blocking intervals summed: sort those together that are alike, sum each run, sort the sums. */
#include "analysis/wait_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What is sorted. */
struct wait {
	const struct blocking_row *row;
};

/* The first two: whether they are in these calls. */
static int compare_calls(bool is_in_a, bool is_in_b, struct scaler_call_id a, struct scaler_call_id b)
{
	if (!is_in_a || !is_in_b)
		return (int)is_in_a - (int)is_in_b;
	return array_order(a.abi, b.abi)               ?:
		       array_order(a.number, b.number) ?:
							 array_order(a.descriptor, b.descriptor);
}

static int compare_own_calls(const struct scaler_blocking_interval *a,
			     const struct scaler_blocking_interval *b)
{
	return compare_calls(a->flags & SCALER_BLOCKING_IN_CALL, b->flags & SCALER_BLOCKING_IN_CALL, a->call,
			     b->call);
}

static int compare_paths(const struct call_path *a, const struct call_path *b)
{
	return array_order(a->entered, b->entered)             ?:
		       array_order(a->innermost, b->innermost) ?:
		       array_order(a->caller, b->caller)       ?:
								 array_order(a->cut, b->cut);
}

/* Processes come and go, and nobody knows a child by its number. */
static int compare_comms(const struct scaler_task_names *a, const struct scaler_task_names *b)
{
	return strncmp(a->comm, b->comm, SCALER_COMM_SIZE);
}

static int compare_waker_names(const struct blocking_row *left, const struct blocking_row *right)
{
	const struct scaler_blocking_interval *a = left->interval, *b = right->interval;
	bool a_is_own = a->waker.names.tgid == a->names.tgid, b_is_own = b->waker.names.tgid == b->names.tgid;

	return array_order(a_is_own, b_is_own) ?: compare_comms(&a->waker.names, &b->waker.names);
}

/* One that was not woken and goes on is unlike one whose wakeup was missed. */
static int compare_wakers(const struct blocking_row *left, const struct blocking_row *right)
{
	const struct scaler_waker *a = &left->interval->waker, *b = &right->interval->waker;
	int order = array_order(a->context, b->context)                   ?:
			    array_order(waker_origin(a), waker_origin(b)) ?:
			    array_order(left->work, right->work)          ?:
			    array_order(a->vector, b->vector)             ?:
			    array_order(a->signal, b->signal)             ?:
			    (!a->is_timer) - (!b->is_timer)               ?:
			    (int)waker_is_known(a) - (int)waker_is_known(b);

	if (order)
		return order;
	if (a->context == SCALER_WAKER_UNSEEN)
		return (!left->interval->end_ns) - (!right->interval->end_ns);
	if (!waker_is_known(a))
		return 0;
	return compare_waker_names(left, right)                                      ?:
		       compare_calls(a->is_in_call, b->is_in_call, a->call, b->call) ?:
		       compare_paths(&left->waker.path, &right->waker.path);
}

/* 0 of rows that are summed in one. */
static int compare_alike(const struct blocking_row *a, const struct blocking_row *b)
{
	return compare_comms(&a->interval->names, &b->interval->names)    ?:
		       compare_own_calls(a->interval, b->interval)        ?:
		       array_order(a->kernel, b->kernel)                  ?:
		       compare_paths(&a->place.path, &b->place.path)      ?:
		       resource_compare_kinds(&a->resource, &b->resource) ?:
									    compare_wakers(a, b);
}

static int compare_intervals(const void *left, const void *right)
{
	const struct blocking_row *a = ((const struct wait *)left)->row;
	const struct blocking_row *b = ((const struct wait *)right)->row;

	return compare_alike(a, b)                                                   ?:
		       array_order(a->interval->names.tgid, b->interval->names.tgid) ?:
		       array_order(a->interval->where.task, b->interval->where.task);
}

static int compare_blocked(const void *left, const void *right)
{
	const struct blocking_row *a = ((const struct wait *)left)->row;
	const struct blocking_row *b = ((const struct wait *)right)->row;

	return array_order(a->blocked_ns, b->blocked_ns) ?:
		       array_order(b->interval->start_ns, a->interval->start_ns);
}

void wait_figures_add(struct wait_figures *figures, const struct blocking_row *row)
{
	figures->count++;
	figures->blocked_ns += row->blocked_ns;
	figures->delay_ns += row->delay_ns;
	figures->is_lower_bound |= row->is_lower_bound;
}

void wait_figures_sum(struct wait_figures *sum, const struct wait_figures *more)
{
	sum->count += more->count;
	sum->blocked_ns += more->blocked_ns;
	sum->delay_ns += more->delay_ns;
	sum->is_lower_bound |= more->is_lower_bound;
}

/* All alike, and by process and thread; leaves them by their time. */
static struct wait_row sum_run(struct wait *run, size_t count)
{
	struct wait_row row = { 0 };
	const struct blocking_row *last = NULL;
	bool is_several = false;

	for (size_t i = 0; i < count; i++) {
		const struct blocking_row *first = run[0].row, *this = run[i].row;

		wait_figures_add(&row.figures, this);
		is_several |= !resource_is_same(first->resource.recorded, this->resource.recorded);
		row.has_several_wakers |=
			first->interval->waker.names.tgid != this->interval->waker.names.tgid;
		row.thread_count += !i || this->interval->where.task != last->interval->where.task;
		row.process_count += !i || this->interval->names.tgid != last->interval->names.tgid;
		last = this;
	}
	qsort(run, count, sizeof(*run), compare_blocked);
	row.p99_ns = run[(count * 99 + 99) / 100 - 1].row->blocked_ns;
	row.longest = *run[count - 1].row;
	row.longest.resource.is_several = is_several;
	row.longest.resource.owner = NULL;
	row.longest.resource.timeout_ns = 0;
	return row;
}

static struct wait *choose_intervals(const struct blocking_report *blocking, size_t *count)
{
	struct wait *chosen = calloc(blocking->row_count + 1, sizeof(*chosen));

	*count = 0;
	for (size_t i = 0; chosen && i < blocking->thread_count - blocking->idle_count; i++) {
		const struct blocking_thread *thread = &blocking->threads[i];

		for (size_t row = thread->first; row < thread->first + thread->count; row++)
			chosen[(*count)++].row = &blocking->rows[row];
	}
	return chosen;
}

/* How many of them, from the first on, are alike. */
static size_t run_length(const struct wait *run, size_t count)
{
	size_t length = 1;

	while (length < count && !compare_alike(run[0].row, run[length].row))
		length++;
	return length;
}

static uint64_t row_value(const struct wait_row *row, enum sort_key sort)
{
	switch (sort) {
	case SORT_RUNNABLE:
		return row->figures.delay_ns;
	case SORT_SWITCHES:
		return row->figures.count;
	case SORT_P99:
		return row->p99_ns;
	case SORT_MAX:
		return row->longest.blocked_ns;
	default:
		return row->figures.blocked_ns;
	}
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct wait_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	const struct scaler_task_names *a_names = &a->longest.interval->names;
	const struct scaler_task_names *b_names = &b->longest.interval->names;
	int order = sort == SORT_NAME ? strncmp(a_names->comm, b_names->comm, sizeof(a_names->comm)) : 0;

	return order                                                             ?:
		       array_order(row_value(b, sort), row_value(a, sort))       ?:
		       array_order(b->figures.blocked_ns, a->figures.blocked_ns) ?:
		       compare_alike(&a->longest, &b->longest);
}

int wait_summary_make(const struct blocking_report *blocking, enum sort_key sort,
		      struct wait_summary *summary)
{
	size_t count, length;
	struct wait *chosen = choose_intervals(blocking, &count);

	*summary = (struct wait_summary){ .rows = calloc(count + 1, sizeof(*summary->rows)) };
	if (!chosen || !summary->rows) {
		free(chosen);
		return -ENOMEM;
	}
	qsort(chosen, count, sizeof(*chosen), compare_intervals);
	for (size_t i = 0; i < count; i += length) {
		struct wait_row *row = &summary->rows[summary->row_count++];

		length = run_length(&chosen[i], count - i);
		*row = sum_run(&chosen[i], length);
		wait_figures_sum(&summary->total, &row->figures);
	}
	free(chosen);
	qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &sort);
	return 0;
}

void wait_summary_clear(struct wait_summary *summary)
{
	free(summary->rows);
	*summary = (struct wait_summary){ 0 };
}

struct wait_figures wait_summary_rest(const struct wait_summary *summary, size_t first)
{
	struct wait_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		wait_figures_sum(&sum, &summary->rows[i].figures);
	return sum;
}
