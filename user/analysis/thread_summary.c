// SPDX-License-Identifier: GPL-2.0-only
/* The recording's threads, each with its life and where it went, busiest first. */
#include "analysis/thread_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_pid(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int compare_running(const void *left, const void *right)
{
	const struct thread_row *a = left, *b = right;
	uint64_t time_a = a->figures.time_ns[SCALER_RUNNING];
	uint64_t time_b = b->figures.time_ns[SCALER_RUNNING];

	if (time_a != time_b)
		return time_a > time_b ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static void figures_add(struct thread_figures *sum, const struct thread_figures *more)
{
	sum->life_ns += more->life_ns;
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		sum->time_ns[state] += more->time_ns[state];
	sum->voluntary += more->voluntary;
	sum->involuntary += more->involuntary;
	sum->repaired += more->repaired;
	sum->unseen_wakeups += more->unseen_wakeups;
}

static struct thread_row make_row(const struct scaler_thread *thread)
{
	struct thread_row row = {
		.pid = thread->tgid,
		.tid = thread->tid,
		.start_ns = thread->start_ns,
		.exited = thread->end_ns != 0,
		.figures = {
			.life_ns = thread->since_ns - thread->start_ns,
			.voluntary = thread->voluntary,
			.involuntary = thread->involuntary,
			.repaired = thread->repaired,
			.unseen_wakeups = thread->unseen_wakeups,
		},
	};

	memcpy(row.figures.time_ns, thread->time_ns, sizeof(row.figures.time_ns));
	memcpy(row.comm, thread->comm, sizeof(thread->comm));
	return row;
}

int thread_summary_make(const struct profile *profile, struct thread_summary *summary)
{
	size_t count = profile->thread_count;
	struct thread_row *rows = calloc(count + 1, sizeof(*rows));

	*summary = (struct thread_summary){ .rows = rows, .row_count = count };
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		rows[i] = make_row(&profile->threads[i]);
	qsort(rows, count, sizeof(*rows), compare_pid);
	for (size_t i = 0; i < count; i++)
		summary->process_count += i == 0 || rows[i].pid != rows[i - 1].pid;
	qsort(rows, count, sizeof(*rows), compare_running);
	summary->total = thread_summary_rest(summary, 0);
	return 0;
}

struct thread_figures thread_summary_rest(const struct thread_summary *summary, size_t first)
{
	struct thread_figures sum = { 0 };

	for (size_t i = first; i < summary->row_count; i++)
		figures_add(&sum, &summary->rows[i].figures);
	return sum;
}

void thread_summary_clear(struct thread_summary *summary)
{
	free(summary->rows);
	*summary = (struct thread_summary){ 0 };
}
