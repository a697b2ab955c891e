// SPDX-License-Identifier: GPL-2.0-only
/* What happened between two readings of one recording: differences of threads, of rows, of open calls. */
#include "model/interval.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/call_stats.h"
#include "model/row_order.h"
#include "model/sampled_calls.h"
#include "model/tracer_cost.h"

/*
 * A wakeup may be seen by a reading a few ns after its time, which that reading had then counted as blocked
 * and the next one rightly does not: what a state has too little another has too much.
 */
static void balance(int64_t time_ns[SCALER_STATE_COUNT])
{
	int most = 0;

	for (int state = 1; state < SCALER_STATE_COUNT; state++)
		most = time_ns[state] > time_ns[most] ? state : most;
	for (int state = 0; state < SCALER_STATE_COUNT; state++) {
		if (time_ns[state] >= 0)
			continue;
		time_ns[most] += time_ns[state];
		time_ns[state] = 0;
	}
}

static struct scaler_thread thread_since(const struct scaler_thread *before,
					 const struct scaler_thread *after)
{
	int64_t time_ns[SCALER_STATE_COUNT];
	struct scaler_thread thread = *after;

	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		time_ns[state] = (int64_t)(after->time_ns[state] - before->time_ns[state]);
	balance(time_ns);
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		thread.time_ns[state] = (uint64_t)time_ns[state];
	thread.start_ns = before->since_ns;
	thread.voluntary -= before->voluntary;
	thread.involuntary -= before->involuntary;
	thread.repaired -= before->repaired;
	thread.unseen_wakeups -= before->unseen_wakeups;
	thread.delays -= before->delays;
	thread.quota_ns -= before->quota_ns;
	/* What it is in is added with the open calls. */
	thread.call.enter_ns = 0;
	return thread;
}

static int add_threads(const struct profile *before, const struct profile *after, struct profile *interval)
{
	size_t at = 0;
	int err = 0;

	for (size_t i = 0; i < after->thread_count && !err; i++) {
		const struct scaler_thread *thread = &after->threads[i];
		struct scaler_thread since = *thread;

		since.call.enter_ns = 0;
		while (at < before->thread_count && before->threads[at].serial < thread->serial)
			at++;
		if (at < before->thread_count && before->threads[at].serial == thread->serial)
			since = thread_since(&before->threads[at], thread);
		/* Of a thread that was not read anew there is nothing to say. */
		if (since.since_ns > since.start_ns)
			err = profile_add_thread(interval, &since);
	}
	return err;
}

/* A profile's system calls or library calls. */
struct rows {
	const struct profile_call *calls;
	size_t count;
};

/* The rows in which calls have returned since, in the order of their keys. */
static int add_rows_since(struct rows before, struct rows after, struct profile *interval)
{
	size_t at = 0;
	int err = 0;

	for (size_t i = 0; i < after.count && !err; i++) {
		const struct profile_call *call = &after.calls[i];
		struct scaler_call_stats since = call->stats;

		while (at < before.count && row_order_calls(&before.calls[at], call) < 0)
			at++;
		if (at < before.count && !row_order_calls(&before.calls[at], call))
			since = call_stats_since(&before.calls[at].stats, &call->stats);
		if (since.untimed || call_stats_additions(&since))
			err = profile_add_call(interval, &call->key, &since);
	}
	return err;
}

static int add_calls(const struct profile *before, const struct profile *after, struct profile *interval)
{
	const struct rows calls[] = { { before->calls, before->call_count },
				      { after->calls, after->call_count } };
	const struct rows library_calls[] = { { before->library_calls, before->library_call_count },
					      { after->library_calls, after->library_call_count } };

	return add_rows_since(calls[0], calls[1], interval) ?:
		       add_rows_since(library_calls[0], library_calls[1], interval);
}

static int add_errors(const struct profile *before, const struct profile *after, struct profile *interval)
{
	size_t at = 0;
	int err = 0;

	for (size_t i = 0; i < after->error_count && !err; i++) {
		const struct profile_error *error = &after->errors[i];
		uint64_t count = error->count;

		while (at < before->error_count && row_order_errors(&before->errors[at], error) < 0)
			at++;
		if (at < before->error_count && !row_order_errors(&before->errors[at], error))
			count -= before->errors[at].count;
		if (count)
			err = profile_add_error(interval, &error->key, count);
	}
	return err;
}

static void take(__u64 *from, uint64_t part)
{
	*from = *from > part ? *from - part : 0;
}

/* The call has returned: what it had taken before was counted before. */
static void settle(struct scaler_call_stats *stats, const struct profile_open_call *open,
		   uint64_t recording_start_ns)
{
	/* The kernel side's own rule (syscalls.bpf.c). */
	if (open->enter_ns < recording_start_ns) {
		take(&stats->partial.total_ns, open->figures.total_ns);
		take(&stats->partial.runnable_ns, open->figures.runnable_ns);
		take(&stats->partial.blocked_ns, open->figures.blocked_ns);
	} else {
		take(&stats->total_ns, open->figures.total_ns);
		take(&stats->runnable_ns, open->figures.runnable_ns);
		take(&stats->blocked_ns, open->figures.blocked_ns);
	}
}

/* A thread's calls return one after the other, so that their number tells whether this one has. */
static bool has_returned(const struct profile_open_call *open, const struct profile *after)
{
	uint64_t calls = 0;

	for (size_t i = row_order_first_of_thread(after->calls, after->call_count, open->key.task);
	     i < after->call_count && after->calls[i].key.task == open->key.task; i++)
		calls += call_stats_additions(&after->calls[i].stats);
	return calls > open->calls_before;
}

/*
 * Settles a call with the row in which it has returned. That may have another site: a call's component may
 * become known only when it returns. The interval's rows up to this number are sorted. No row: it was lost.
 */
static void settle_returned(struct profile *interval, size_t rows, const struct profile_open_call *open)
{
	struct profile_call *found = NULL;

	for (size_t i = row_order_first_of_thread(interval->calls, rows, open->key.task);
	     i < rows && interval->calls[i].key.task == open->key.task; i++) {
		struct profile_call *call = &interval->calls[i];

		if (memcmp(&call->key.id, &open->key.id, sizeof(open->key.id)))
			continue;
		if (!found || (call->key.site == open->key.site && call->key.stack == open->key.stack))
			found = call;
	}
	if (found)
		settle(&found->stats, open, interval->recording_start_ns);
}

static int add_open(struct profile *interval, const struct profile_open_call *open,
		    const struct profile_open_call *before)
{
	struct scaler_call_stats stats = { .partial = open->figures };
	int err = profile_add_open_call(interval, open);

	if (before) {
		take(&stats.partial.total_ns, before->figures.total_ns);
		take(&stats.partial.runnable_ns, before->figures.runnable_ns);
		take(&stats.partial.blocked_ns, before->figures.blocked_ns);
	}
	return err ?: profile_add_call(interval, &open->key, &stats);
}

static bool lives_on(const struct profile *reading, uint32_t serial)
{
	const struct scaler_thread *thread = profile_find_thread(reading, serial);

	return thread && !thread->end_ns;
}

/* What one thread was in, before and now; NULL: in no call. */
struct open_pair {
	const struct profile_open_call *before;
	const struct profile_open_call *now;
};

/* Adds one thread's open calls; *stays becomes the one that is open for the next interval, or NULL. */
static int add_open_pair(const struct profile *after, struct profile *interval, size_t rows,
			 const struct open_pair *pair, const struct profile_open_call **stays)
{
	const struct profile_open_call *before = pair->before, *now = pair->now;
	bool same = before && now && before->enter_ns == now->enter_ns;

	*stays = now;
	if (before && !same) {
		/* What it is in now waits until the one before is settled. */
		if (!has_returned(before, after)) {
			*stays = lives_on(after, before->key.task) ? before : NULL;
			return 0;
		}
		settle_returned(interval, rows, before);
	}
	return now ? add_open(interval, now, same ? before : NULL) : 0;
}

/* Takes the next thread's open calls from both lists, which are in the order of threads. */
static struct open_pair next_pair(const struct profile *before, size_t *i, const struct profile *after,
				  size_t *j)
{
	struct open_pair pair = { 0 };

	if (*i < before->open_call_count)
		pair.before = &before->open_calls[*i];
	if (*j < after->open_call_count)
		pair.now = &after->open_calls[*j];
	if (pair.before && pair.now && pair.before->key.task < pair.now->key.task)
		pair.now = NULL;
	else if (pair.before && pair.now && pair.before->key.task > pair.now->key.task)
		pair.before = NULL;
	*i += pair.before != NULL;
	*j += pair.now != NULL;
	return pair;
}

static int add_open_calls(const struct profile *before, struct profile *after, struct profile *interval)
{
	size_t rows = interval->call_count, count = 0, i = 0, j = 0;
	size_t capacity = before->open_call_count + after->open_call_count + 1;
	struct profile_open_call *stay = calloc(capacity, sizeof(*stay));
	int err = stay ? 0 : -ENOMEM;

	while (!err && (i < before->open_call_count || j < after->open_call_count)) {
		const struct open_pair pair = next_pair(before, &i, after, &j);
		const struct profile_open_call *stays;

		err = add_open_pair(after, interval, rows, &pair, &stays);
		if (stays)
			stay[count++] = *stays;
	}
	free(after->open_calls);
	after->open_calls = stay;
	after->open_call_count = count;
	after->open_call_capacity = stay ? capacity : 0;
	return err;
}

int interval_between(struct profile *before, struct profile *after, struct profile *interval)
{
	int err;

	interval->recording_start_ns = after->window.start_ns;
	interval->window = after->window;
	if (before->window.end_ns)
		interval->window.start_ns = before->window.end_ns;
	for (int cause = 0; cause < SCALER_LOSS_COUNTERS; cause++)
		interval->losses[cause] = after->losses[cause] - before->losses[cause];
	interval->wall_clock_ns = after->wall_clock_ns;
	interval->functions = after->functions;
	interval->cost = tracer_cost_since(&before->cost, &after->cost);
	interval->sampling = sampling_since(&before->sampling, &after->sampling);
	interval->library_sampling = sampling_since(&before->library_sampling, &after->library_sampling);
	row_order_sort(before);
	row_order_sort(after);
	err = add_threads(before, after, interval)       ?:
		      add_calls(before, after, interval) ?:
							   add_errors(before, after, interval);
	if (!err)
		sampled_calls_estimate(interval);
	return err                                                                          ?:
		       add_open_calls(before, after, interval)                              ?:
		       profile_copy_names(interval, after)                                  ?:
		       profile_add_groups(interval, after)                                  ?:
		       samples_since(&interval->samples, &before->samples, &after->samples) ?:
		       blocking_intervals_move(&interval->blocking, &after->blocking);
}

/* Of a thread that was not read anew there is nothing to say. */
static void drop_timeless(struct profile *interval)
{
	size_t kept = 0;

	for (size_t i = 0; i < interval->thread_count; i++) {
		if (interval->threads[i].since_ns > interval->threads[i].start_ns)
			interval->threads[kept++] = interval->threads[i];
	}
	interval->thread_count = kept;
}

int interval_of_all(struct profile *reading, struct profile *interval)
{
	int err = 0;

	*interval = *reading;
	*reading = (struct profile){ 0 };
	interval->recording_start_ns = interval->window.start_ns;
	row_order_sort(interval);
	sampled_calls_estimate(interval);
	drop_timeless(interval);
	for (size_t i = 0; i < interval->open_call_count && !err; i++) {
		const struct profile_open_call *open = &interval->open_calls[i];
		const struct scaler_call_stats stats = { .partial = open->figures };

		err = profile_add_call(interval, &open->key, &stats);
	}
	return err;
}
