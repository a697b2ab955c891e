// SPDX-License-Identifier: GPL-2.0-only
/* The recording's threads, each with its life and where it went, busiest first. */
#include "analysis/thread_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/thread_state.h>

/* The time that one thread was blocked in one call, wherever that was issued. */
struct blocking_call {
	uint32_t task;
	struct scaler_call_id id;
	uint64_t blocked_ns;
};

static int compare_id(const struct scaler_call_id *a, const struct scaler_call_id *b)
{
	return memcmp(a, b, sizeof(*a));
}

static int compare_blocking(const void *left, const void *right)
{
	const struct blocking_call *a = left, *b = right;

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return compare_id(&a->id, &b->id);
}

static int compare_serial(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;

	return (a->serial > b->serial) - (a->serial < b->serial);
}

static int compare_pid(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

static uint64_t row_value(const struct thread_row *row, enum sort_key sort)
{
	const struct thread_figures *figures = &row->figures;

	switch (sort) {
	case SORT_TOTAL:
		return figures->life_ns;
	case SORT_RUNNABLE:
		return figures->time_ns[SCALER_RUNNABLE];
	case SORT_BLOCKED:
		return figures->time_ns[SCALER_BLOCKED];
	case SORT_SWITCHES:
		return figures->voluntary + figures->involuntary;
	default:
		return figures->time_ns[SCALER_RUNNING];
	}
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct thread_row *a = left, *b = right;
	enum sort_key sort = *(const enum sort_key *)data;
	uint64_t value_a = row_value(a, sort), value_b = row_value(b, sort);
	int order = sort == SORT_NAME ? strcmp(a->comm, b->comm) : 0;

	if (order)
		return order;
	if (value_a != value_b)
		return value_a > value_b ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

void thread_figures_add(struct thread_figures *sum, const struct thread_figures *more)
{
	sum->life_ns += more->life_ns;
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		sum->time_ns[state] += more->time_ns[state];
	sum->voluntary += more->voluntary;
	sum->involuntary += more->involuntary;
	sum->tracer_ns += more->tracer_ns;
	sum->repaired += more->repaired;
	sum->unseen_wakeups += more->unseen_wakeups;
	sum->delays += more->delays;
	sum->dispatching += more->dispatching;
	sum->quota_ns += more->quota_ns;
}

static struct thread_row make_row(const struct scaler_thread *thread, uint32_t reading)
{
	const struct scaler_span longest = scaler_thread_longest_delay(thread, reading);
	bool is_delayed = thread->open_delay.duration_ns != 0;
	struct thread_row row = {
		.serial = thread->serial,
		.pid = thread->tgid,
		.tid = thread->tid,
		.start_ns = thread->start_ns,
		.exited = thread->end_ns != 0,
		.is_kernel = thread->flags & SCALER_THREAD_KERNEL,
		.cpus = thread->cpus,
		.longest_delay = longest,
		.is_longest_open = is_delayed && longest.start_ns == thread->open_delay.start_ns,
		.figures = {
			.life_ns = thread->since_ns - thread->start_ns,
			.voluntary = thread->voluntary,
			.involuntary = thread->involuntary,
			.repaired = thread->repaired,
			.unseen_wakeups = thread->unseen_wakeups,
			.delays = thread->delays + is_delayed,
			.dispatching = thread->flags & SCALER_THREAD_DISPATCHES,
			.quota_ns = thread->quota_ns,
		},
	};

	memcpy(row.figures.time_ns, thread->time_ns, sizeof(row.figures.time_ns));
	memcpy(row.comm, thread->comm, sizeof(thread->comm));
	return row;
}

/* Sums what follows the first of the calls, which are sorted, as long as it is the same call. */
static struct blocking_call sum_blocking(const struct blocking_call *calls, size_t count, size_t *at)
{
	struct blocking_call sum = calls[(*at)++];

	for (; *at < count && !compare_blocking(&calls[*at], &sum); (*at)++)
		sum.blocked_ns += calls[*at].blocked_ns;
	return sum;
}

/* rows are sorted by serial. Returns 0 or -ENOMEM. */
static int find_top_calls(const struct profile *profile, struct thread_row *rows, size_t row_count)
{
	size_t count = profile->call_count, at = 0, row = 0;
	struct blocking_call *calls = calloc(count + 1, sizeof(*calls));

	if (!calls)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct profile_call *call = &profile->calls[i];

		calls[i] = (struct blocking_call){ call->key.task, call->key.id,
						   call->stats.blocked_ns + call->stats.partial.blocked_ns };
	}
	qsort(calls, count, sizeof(*calls), compare_blocking);
	while (at < count) {
		const struct blocking_call sum = sum_blocking(calls, count, &at);

		while (row < row_count && rows[row].serial < sum.task)
			row++;
		if (row == row_count || rows[row].serial != sum.task ||
		    sum.blocked_ns <= rows[row].top_call_blocked_ns)
			continue;
		rows[row].top_call = sum.id;
		rows[row].top_call_blocked_ns = sum.blocked_ns;
	}
	free(calls);
	return 0;
}

int thread_summary_make(const struct profile *profile, enum sort_key sort, struct thread_summary *summary)
{
	size_t count = profile->thread_count;
	struct thread_row *rows = calloc(count + 1, sizeof(*rows));

	*summary = (struct thread_summary){ .rows = rows, .row_count = count };
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		rows[i] = make_row(&profile->threads[i], profile->window.reading);
	qsort(rows, count, sizeof(*rows), compare_serial);
	if (find_top_calls(profile, rows, count)) {
		thread_summary_clear(summary);
		return -ENOMEM;
	}
	qsort(rows, count, sizeof(*rows), compare_pid);
	for (size_t i = 0; i < count; i++)
		summary->process_count += i == 0 || rows[i].pid != rows[i - 1].pid;
	qsort_r(rows, count, sizeof(*rows), compare_rows, &sort);
	summary->total = thread_summary_rest(summary, 0);
	for (size_t i = 0; i < profile->group_count; i++)
		summary->grouped += profile->groups[i].threads;
	return 0;
}

struct thread_figures thread_summary_rest(const struct thread_summary *summary, size_t first)
{
	struct thread_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		thread_figures_add(&sum, &summary->rows[i].figures);
	return sum;
}

void thread_summary_clear(struct thread_summary *summary)
{
	free(summary->rows);
	*summary = (struct thread_summary){ 0 };
}
