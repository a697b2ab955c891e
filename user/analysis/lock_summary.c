// SPDX-License-Identifier: GPL-2.0-only
/* What each futex was to the threads that waited on it: sort the waits by futex, then each one's by several keys. */
#include "analysis/lock_summary.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

struct wait {
	const struct blocking_row *row;
	uint64_t before_ns; /* waiting of all, between the wakeup before and the one that ended it */
};

/* The waits on one futex, which each step sorts as it needs them. */
struct waits {
	struct wait *items;
	size_t count;
	uint64_t *starts_ns, *ends_ns; /* room for as many; of those with times */
	size_t time_count;
};

/* In the memory of several processes it may be at several addresses. */
static bool is_in_shared_file(const struct scaler_resource *futex)
{
	return futex->flags & SCALER_RESOURCE_SHARED && futex->site;
}

static int compare_futexes(const struct blocking_row *a, const struct blocking_row *b)
{
	const struct scaler_resource *a_futex = a->resource.recorded, *b_futex = b->resource.recorded;
	bool in_file = is_in_shared_file(a_futex);
	int order = (int)in_file - (int)is_in_shared_file(b_futex);

	if (order)
		return order;
	if (in_file)
		return array_order(a_futex->site, b_futex->site);
	return array_order(a->interval->names.tgid, b->interval->names.tgid) ?:
		       array_order(a_futex->id, b_futex->id);
}

static int compare_paths(const struct blocking_row *a, const struct blocking_row *b)
{
	return array_order(a->place.path.entered, b->place.path.entered) ?:
		       array_order(a->place.path.caller, b->place.path.caller);
}

/* By who waited, so that a process's threads stand together. */
static int by_thread(const void *left, const void *right)
{
	const struct blocking_row *a = ((const struct wait *)left)->row;
	const struct blocking_row *b = ((const struct wait *)right)->row;

	return compare_futexes(a, b)                                                 ?:
		       array_order(a->interval->names.tgid, b->interval->names.tgid) ?:
		       array_order(a->interval->where.task, b->interval->where.task) ?:
		       array_order(a->interval->start_ns, b->interval->start_ns);
}

static int by_path(const void *left, const void *right)
{
	return compare_paths(((const struct wait *)left)->row, ((const struct wait *)right)->row);
}

static bool is_woken_by_task(const struct blocking_row *row)
{
	return row->interval->waker.context == SCALER_WAKER_TASK;
}

/* Those that tasks have ended first. */
static int by_waker(const void *left, const void *right)
{
	const struct blocking_row *a = ((const struct wait *)left)->row;
	const struct blocking_row *b = ((const struct wait *)right)->row;

	return (int)is_woken_by_task(b) - (int)is_woken_by_task(a) ?:
		       blocking_compare_names(&a->interval->waker.names, &b->interval->waker.names);
}

/* They stand by thread. */
static void count_waiters(const struct waits *waits, struct lock_row *row)
{
	for (size_t i = 0; i < waits->count; i++) {
		const struct scaler_blocking_interval *interval = waits->items[i].row->interval;
		const struct scaler_blocking_interval *before = i ? waits->items[i - 1].row->interval : NULL;

		row->process_count += !before || before->names.tgid != interval->names.tgid;
		row->thread_count += !before || before->where.task != interval->where.task;
		row->idle_count += waits->items[i].row->is_all_the_time;
	}
}

/* The thread that is waited for by the wait that began last, of those that go on. */
static void find_holder(const struct waits *waits, struct lock_row *row)
{
	uint64_t start_ns = 0;

	for (size_t i = 0; i < waits->count; i++) {
		const struct blocking_row *wait = waits->items[i].row;

		if (wait->interval->woken_ns || wait->interval->end_ns || wait->interval->start_ns < start_ns)
			continue;
		start_ns = wait->interval->start_ns;
		row->holder = wait->resource.owner;
	}
}

static void sum_times(struct waits *waits, const struct scaler_window *window, struct lock_row *row)
{
	for (size_t i = 0; i < waits->count; i++) {
		const struct blocking_row *wait = waits->items[i].row;
		size_t count = waits->time_count;
		uint64_t start_ns = wait->interval->start_ns;

		if (wait->is_all_the_time)
			continue;
		wait_figures_add(&row->figures, wait);
		if (wait->blocked_ns > row->max_ns)
			row->max_ns = wait->blocked_ns;
		row->timeouts += wait->interval->waker.is_timer;
		waits->starts_ns[count] = start_ns < window->start_ns ? window->start_ns : start_ns;
		waits->ends_ns[count] = waits->starts_ns[count] + wait->blocked_ns;
		waits->time_count++;
	}
	row->convoy = convoy_find(waits->starts_ns, waits->ends_ns, waits->time_count);
}

/* Sums what has been waited up to one moment after the other; both arrays of times are sorted. */
struct waiting_sum {
	const struct waits *waits;
	size_t started, ended; /* how many waits have, by now */
	uint64_t now_ns, sum_ns;
};

static void sum_until(struct waiting_sum *sum, uint64_t ns)
{
	const struct waits *waits = sum->waits;

	while (sum->ended < waits->time_count) {
		bool starts = sum->started < waits->time_count &&
			      waits->starts_ns[sum->started] <= waits->ends_ns[sum->ended];
		uint64_t next_ns = starts ? waits->starts_ns[sum->started] : waits->ends_ns[sum->ended];

		if (next_ns > ns)
			break;
		sum->sum_ns += (sum->started - sum->ended) * (next_ns - sum->now_ns);
		sum->now_ns = next_ns;
		if (starts)
			sum->started++;
		else
			sum->ended++;
	}
	sum->sum_ns += (sum->started - sum->ended) * (ns - sum->now_ns);
	sum->now_ns = ns;
}

static int by_wakeup(const void *left, const void *right)
{
	return array_order(((const struct wait *)left)->row->interval->woken_ns,
			   ((const struct wait *)right)->row->interval->woken_ns);
}

static void share_waiting(struct waits *waits)
{
	struct waiting_sum sum = { .waits = waits };

	qsort(waits->items, waits->count, sizeof(*waits->items), by_wakeup);
	for (size_t i = 0; i < waits->count; i++) {
		struct wait *wait = &waits->items[i];
		uint64_t before_ns = sum.sum_ns;

		if (!is_woken_by_task(wait->row) || wait->row->interval->woken_ns < sum.now_ns)
			continue;
		sum_until(&sum, wait->row->interval->woken_ns);
		wait->before_ns = sum.sum_ns - before_ns;
	}
}

static void find_path(struct waits *waits, struct lock_row *row)
{
	size_t most = 0, length;

	qsort(waits->items, waits->count, sizeof(*waits->items), by_path);
	for (size_t i = 0; i < waits->count; i += length) {
		for (length = 1; i + length < waits->count &&
				 !compare_paths(waits->items[i].row, waits->items[i + length].row);
		     length++)
			;
		if (length > most) {
			most = length;
			row->path = waits->items[i].row->place.path;
		}
	}
}

static int compare_wakers(const void *left, const void *right)
{
	const struct lock_waker *a = left, *b = right;

	return array_order(b->waiting_ns, a->waiting_ns) ?:
		       array_order(b->count, a->count)   ?:
							   blocking_compare_names(a->names, b->names);
}

static int count_wakers(struct lock_summary *summary, struct waits *waits, struct lock_row *row)
{
	struct lock_waker *last = NULL;

	row->first_waker = summary->waker_count;
	share_waiting(waits);
	qsort(waits->items, waits->count, sizeof(*waits->items), by_waker);
	for (size_t i = 0; i < waits->count && is_woken_by_task(waits->items[i].row); i++) {
		const struct scaler_task_names *names = &waits->items[i].row->interval->waker.names;

		if (!last || blocking_compare_names(last->names, names)) {
			struct lock_waker *wakers = array_reserve(summary->wakers, summary->waker_count,
								  &summary->waker_capacity, sizeof(*wakers));

			if (!wakers)
				return -ENOMEM;
			summary->wakers = wakers;
			last = &wakers[summary->waker_count++];
			*last = (struct lock_waker){ .names = names };
		}
		last->count++;
		last->waiting_ns += waits->items[i].before_ns;
	}
	row->waker_count = summary->waker_count - row->first_waker;
	if (row->waker_count)
		qsort(&summary->wakers[row->first_waker], row->waker_count, sizeof(*last), compare_wakers);
	return 0;
}

static int add_row(struct lock_summary *summary, struct waits *waits, const struct scaler_window *window)
{
	struct lock_row *rows =
		array_reserve(summary->rows, summary->row_count, &summary->row_capacity, sizeof(*rows));
	struct lock_row row = { .resource = waits->items[0].row->resource,
				.names = &waits->items[0].row->interval->names };

	if (!rows)
		return -ENOMEM;
	summary->rows = rows;
	row.resource.owner = NULL;
	row.resource.timeout_ns = 0;
	count_waiters(waits, &row);
	find_holder(waits, &row);
	sum_times(waits, window, &row);
	find_path(waits, &row);
	if (count_wakers(summary, waits, &row))
		return -ENOMEM;
	rows[summary->row_count++] = row;
	return 0;
}

static uint64_t row_value(const struct lock_row *row, enum sort_key sort)
{
	switch (sort) {
	case SORT_RUNNABLE:
		return row->figures.delay_ns;
	case SORT_SWITCHES:
		return row->figures.count;
	case SORT_MAX:
		return row->max_ns;
	default:
		return row->figures.blocked_ns;
	}
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct lock_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;

	return array_order(row_value(b, sort), row_value(a, sort)) ?:
		       array_order(b->idle_count, a->idle_count)   ?:
		       array_order(a->names->tgid, b->names->tgid) ?:
		       array_order(a->resource.recorded->id, b->resource.recorded->id);
}

static int add_rows(struct lock_summary *summary, const struct waits *all, const struct scaler_window *window)
{
	size_t length;
	int err = 0;

	for (size_t i = 0; i < all->count && !err; i += length) {
		struct waits waits = { &all->items[i], 0, all->starts_ns, all->ends_ns, 0 };

		for (length = 1; i + length < all->count &&
				 !compare_futexes(all->items[i].row, all->items[i + length].row);
		     length++)
			;
		waits.count = length;
		err = add_row(summary, &waits, window);
	}
	return err;
}

int lock_summary_make(const struct blocking_report *blocking, const struct scaler_window *window,
		      enum sort_key sort, struct lock_summary *summary)
{
	size_t room = blocking->row_count + 1;
	struct waits all = { calloc(room, sizeof(*all.items)), 0, calloc(room, sizeof(*all.starts_ns)),
			     calloc(room, sizeof(*all.ends_ns)), 0 };
	int err = all.items && all.starts_ns && all.ends_ns ? 0 : -ENOMEM;

	*summary = (struct lock_summary){ 0 };
	for (size_t i = 0; i < blocking->row_count && !err; i++) {
		if (blocking->rows[i].resource.recorded->kind == SCALER_RESOURCE_FUTEX)
			all.items[all.count++].row = &blocking->rows[i];
	}
	if (!err) {
		qsort(all.items, all.count, sizeof(*all.items), by_thread);
		err = add_rows(summary, &all, window);
	}
	if (!err && summary->row_count)
		qsort_r(summary->rows, summary->row_count, sizeof(*summary->rows), compare_rows, &sort);
	free(all.items);
	free(all.starts_ns);
	free(all.ends_ns);
	return err;
}

void lock_summary_clear(struct lock_summary *summary)
{
	free(summary->rows);
	free(summary->wakers);
	*summary = (struct lock_summary){ 0 };
}
