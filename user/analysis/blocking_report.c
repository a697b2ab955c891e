// SPDX-License-Identifier: GPL-2.0-only
/* The blocking report: each blocking interval by its thread. */
#include "analysis/blocking_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Within the recording. */
static uint64_t overlap_ns(const struct scaler_window *window, uint64_t from_ns, uint64_t to_ns)
{
	from_ns = from_ns < window->start_ns ? window->start_ns : from_ns;
	to_ns = to_ns > window->end_ns ? window->end_ns : to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static size_t find_site(const struct places *places, uint64_t site)
{
	return site ? places_find(places, site) : PLACE_NONE;
}

/* What it did in the kernel says nothing of the task that queued that. */
static struct wait_place find_waker(const struct resource_finder *finder, struct scaler_sample where)
{
	where.kernel = 0;
	return wait_place_find(finder->profile, finder->places, &where);
}

static struct blocking_row make_row(const struct resource_finder *finder,
				    const struct scaler_blocking_interval *interval)
{
	const struct scaler_window *window = &finder->profile->window;
	uint64_t end_ns = interval->end_ns ?: window->end_ns;
	/* Without a wakeup that was seen all of it counts as blocked, as it does for the thread. */
	uint64_t woken_ns = interval->woken_ns ?: end_ns;

	return (struct blocking_row){
		.interval = interval,
		.blocked_ns = overlap_ns(window, interval->start_ns, woken_ns),
		.delay_ns = overlap_ns(window, woken_ns, end_ns),
		.quota_ns = overlap_ns(window, woken_ns,
				       woken_ns + smaller(interval->quota_ns, end_ns - woken_ns)),
		.is_lower_bound = interval->flags & SCALER_BLOCKING_FOUND ||
				  interval->start_ns < window->start_ns ||
				  (!interval->woken_ns && !interval->end_ns),
		.is_all_the_time =
			interval->flags & SCALER_BLOCKING_FOUND && !interval->woken_ns && !interval->end_ns,
		.interrupt = waker_interrupt_name(&finder->places->interrupts, waker_origin(&interval->waker),
						  interval->waker.vector),
		.work = find_site(finder->places, interval->waker.where.kernel),
		.request = awaited_request_make(
			&finder->places->disks,
			blocking_intervals_request(&finder->profile->blocking, interval)),
		.place = wait_place_find(finder->profile, finder->places, &interval->where),
		.waker = find_waker(finder, interval->waker.where),
		.resource = resource_find(finder, interval),
		.kernel = find_site(finder->places, interval->where.kernel),
	};
}

static int compare_rows(const void *left, const void *right)
{
	const struct scaler_blocking_interval *a = ((const struct blocking_row *)left)->interval;
	const struct scaler_blocking_interval *b = ((const struct blocking_row *)right)->interval;

	return array_order(a->where.task, b->where.task) ?: array_order(a->start_ns, b->start_ns);
}

/* One that ended while those were read that had not is there twice. Of both it leaves that which says more. */
static void drop_doubles(struct blocking_report *report)
{
	struct blocking_row *rows = report->rows;
	size_t kept = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		if (!kept || compare_rows(&rows[kept - 1], &rows[i]))
			rows[kept++] = rows[i];
		else if (rows[i].interval->end_ns)
			rows[kept - 1] = rows[i];
	}
	report->row_count = kept;
}

static void keep_streamed(struct blocking_report *report, enum report_stream stream)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		const struct blocking_row *row = &report->rows[i];

		if (row->interval->end_ns || (stream == REPORT_STREAM_LAST && !row->is_all_the_time))
			report->rows[kept++] = *row;
	}
	report->row_count = kept;
}

/* By their ends; those that have none come last. */
static int compare_ends(const void *left, const void *right)
{
	const struct scaler_blocking_interval *a = ((const struct blocking_row *)left)->interval;
	const struct scaler_blocking_interval *b = ((const struct blocking_row *)right)->interval;

	return array_order(a->end_ns - 1, b->end_ns - 1) ?: array_order(a->start_ns, b->start_ns);
}

static void leave_out(const struct profile *profile, const struct blocking_filter *filter,
		      struct blocking_report *report)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		const struct blocking_row *row = &report->rows[i];

		if (blocking_filter_fits(filter, row->interval, row->blocked_ns,
					 profile->recording_start_ns) &&
		    (!filter->functions.count || wait_place_is_in(&row->place, &filter->functions)))
			report->rows[kept++] = *row;
	}
	report->left_out = report->row_count - kept;
	report->row_count = kept;
}

static int add_thread(struct blocking_report *report, size_t *capacity, size_t first)
{
	struct blocking_thread *threads =
		array_reserve(report->threads, report->thread_count, capacity, sizeof(*threads));

	if (!threads)
		return -ENOMEM;
	report->threads = threads;
	threads[report->thread_count++] = (struct blocking_thread){ .first = first };
	return 0;
}

static int group_rows(struct blocking_report *report)
{
	size_t capacity = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		const struct blocking_row *row = &report->rows[i];
		struct blocking_thread *thread;

		if (!i || row->interval->where.task != row[-1].interval->where.task) {
			if (add_thread(report, &capacity, i))
				return -ENOMEM;
		}
		thread = &report->threads[report->thread_count - 1];
		thread->is_idle = !thread->count && row->is_all_the_time;
		thread->count++;
		thread->blocked_ns += row->blocked_ns;
		thread->delay_ns += row->delay_ns;
	}
	for (size_t i = 0; i < report->thread_count; i++)
		report->idle_count += report->threads[i].is_idle;
	return 0;
}

const struct scaler_task_names *blocking_thread_names(const struct blocking_report *report,
						      const struct blocking_thread *thread)
{
	return &report->rows[thread->first + thread->count - 1].interval->names;
}

struct thread_order {
	const struct blocking_report *report;
	enum sort_key sort;
};

static int compare_threads(const void *left, const void *right, void *data)
{
	const struct blocking_thread *a = left, *b = right;
	const struct thread_order *order = data;
	const struct scaler_task_names *a_names = blocking_thread_names(order->report, a);
	const struct scaler_task_names *b_names = blocking_thread_names(order->report, b);
	int result = (int)a->is_idle - (int)b->is_idle;

	if (result)
		return result;
	if (order->sort == SORT_NAME)
		result = strncmp(a_names->comm, b_names->comm, sizeof(a_names->comm));
	else if (order->sort == SORT_RUNNABLE)
		result = array_order(b->delay_ns, a->delay_ns);
	return result ?: array_order(b->blocked_ns, a->blocked_ns) ?: array_order(a_names->tid, b_names->tid);
}

int blocking_report_make(struct profile *profile, const struct places *places,
			 const struct report_options *options, struct blocking_report *report)
{
	const struct blocking_intervals *intervals = &profile->blocking;
	struct thread_order order = { report, sort_key_for(options, PART_BLOCKING) };
	struct resource_finder finder;
	int err;

	*report = (struct blocking_report){ .rows = calloc(intervals->count + 1, sizeof(*report->rows)) };
	err = resource_finder_make(&finder, profile, places);
	if (err || !report->rows) {
		resource_finder_clear(&finder);
		return -ENOMEM;
	}
	for (size_t i = 0; i < intervals->count; i++) {
		if (!(intervals->items[i].flags & SCALER_BLOCKING_NOT))
			report->rows[report->row_count++] = make_row(&finder, &intervals->items[i]);
	}
	resource_finder_clear(&finder);
	qsort(report->rows, report->row_count, sizeof(*report->rows), compare_rows);
	drop_doubles(report);
	if (options->stream)
		keep_streamed(report, options->stream);
	leave_out(profile, &options->filter, report);
	if (options->stream) {
		qsort(report->rows, report->row_count, sizeof(*report->rows), compare_ends);
		return 0;
	}
	err = group_rows(report);
	if (!err && report->thread_count)
		qsort_r(report->threads, report->thread_count, sizeof(*report->threads), compare_threads,
			&order);
	return err;
}

void blocking_report_clear(struct blocking_report *report)
{
	free(report->rows);
	free(report->threads);
	*report = (struct blocking_report){ 0 };
}

int blocking_compare_names(const struct scaler_task_names *left, const struct scaler_task_names *right)
{
	return array_order(left->tgid, right->tgid) ?: strncmp(left->comm, right->comm, sizeof(left->comm));
}

const char *waker_interrupt_name(const struct number_names *names, enum scaler_waker_context context,
				 uint32_t vector)
{
	if (vector == SCALER_VECTOR_NONE)
		return NULL;
	if (context == SCALER_WAKER_SOFTIRQ)
		return softirq_name(vector);
	return context == SCALER_WAKER_HARDIRQ ? number_names_get(names, vector) : NULL;
}

bool waker_is_known(const struct scaler_waker *waker)
{
	return waker->context == SCALER_WAKER_TASK || waker->sent_ns;
}

enum scaler_waker_context waker_origin(const struct scaler_waker *waker)
{
	return waker->context == SCALER_WAKER_WORKQUEUE ? (enum scaler_waker_context)waker->queued_in :
							  (enum scaler_waker_context)waker->context;
}

const char *waker_context_name(enum scaler_waker_context context)
{
	static const char *const names[SCALER_WAKER_CONTEXTS] = {
		[SCALER_WAKER_UNKNOWN] = "unknown", [SCALER_WAKER_TASK] = "task",
		[SCALER_WAKER_SOFTIRQ] = "softirq", [SCALER_WAKER_HARDIRQ] = "hardirq",
		[SCALER_WAKER_NMI] = "nmi",         [SCALER_WAKER_WORKQUEUE] = "workqueue",
	};

	return context < SCALER_WAKER_CONTEXTS ? names[context] : NULL;
}
