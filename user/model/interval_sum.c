// SPDX-License-Identifier: GPL-2.0-only
/* Several intervals of one recording as one: rows and threads of the same key are added up. */
#include "model/interval_sum.h"

#include <stdlib.h>

#include <scaler/thread_state.h>

#include "base/array.h"
#include "model/call_stats.h"
#include "model/row_order.h"
#include "model/sampled_calls.h"
#include "model/tracer_cost.h"

/* Makes one of those that stand side by side with the same key. Returns how many are left. */
static size_t merge_calls(struct profile_call *calls, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && !row_order_calls(&calls[kept - 1], &calls[i]))
			call_stats_add(&calls[kept - 1].stats, &calls[i].stats);
		else
			calls[kept++] = calls[i];
	}
	return kept;
}

static size_t merge_errors(struct profile_error *errors, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && !row_order_errors(&errors[kept - 1], &errors[i]))
			errors[kept - 1].count += errors[i].count;
		else
			errors[kept++] = errors[i];
	}
	return kept;
}

static int add_calls(struct profile *profile, const struct profile_call *calls, size_t count)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i++)
		err = profile_add_call(profile, &calls[i].key, &calls[i].stats);
	return err;
}

static int add_rows(struct profile *profile, const struct profile *interval)
{
	int err = add_calls(profile, interval->calls, interval->call_count) ?:
			  add_calls(profile, interval->library_calls, interval->library_call_count);

	for (size_t i = 0; i < interval->error_count && !err; i++)
		err = profile_add_error(profile, &interval->errors[i].key, interval->errors[i].count);
	if (err)
		return err;
	row_order_sort(profile);
	profile->call_count = merge_calls(profile->calls, profile->call_count);
	profile->library_call_count = merge_calls(profile->library_calls, profile->library_call_count);
	profile->error_count = merge_errors(profile->errors, profile->error_count);
	return 0;
}

/* In the sum's rows no call is open that the next interval of the run has: it counts there, returned or open. */
static void close_calls(struct profile *profile)
{
	for (size_t i = 0; i < profile->open_call_count; i++) {
		const struct profile_open_call *open = &profile->open_calls[i];
		const struct profile_call wanted = { .key = open->key };
		size_t at = row_order_first_of_thread(profile->calls, profile->call_count, open->key.task);

		while (at < profile->call_count && row_order_calls(&profile->calls[at], &wanted) < 0)
			at++;
		if (at < profile->call_count && !row_order_calls(&profile->calls[at], &wanted) &&
		    profile->calls[at].stats.partial.count)
			profile->calls[at].stats.partial.count--;
	}
	profile->open_call_count = 0;
}

static int add_open_calls(struct profile *profile, const struct profile *interval)
{
	int err = 0;

	profile->open_call_count = 0;
	for (size_t i = 0; i < interval->open_call_count && !err; i++)
		err = profile_add_open_call(profile, &interval->open_calls[i]);
	return err;
}

/* The sum has one reading, of number 0, for which a thread's longest delay is. */
static struct scaler_thread thread_of_sum(const struct scaler_thread *thread, uint32_t reading)
{
	struct scaler_thread single = *thread;

	single.longest_delay = scaler_thread_longest_delay(thread, reading);
	single.delay_reading = 0;
	return single;
}

/* The later one has what is so at the end. */
static struct scaler_thread thread_joined(const struct scaler_thread *before,
					  const struct scaler_thread *later)
{
	struct scaler_thread thread = *later;

	thread.start_ns = before->start_ns;
	thread.since_ns = before->since_ns + (later->since_ns - later->start_ns);
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		thread.time_ns[state] += before->time_ns[state];
	thread.voluntary += before->voluntary;
	thread.involuntary += before->involuntary;
	thread.repaired += before->repaired;
	thread.unseen_wakeups += before->unseen_wakeups;
	thread.delays += before->delays;
	thread.quota_ns += before->quota_ns;
	if (before->longest_delay.duration_ns > thread.longest_delay.duration_ns)
		thread.longest_delay = before->longest_delay;
	return thread;
}

/* Both have their threads by serial. */
static int add_threads(struct profile *profile, const struct profile *interval)
{
	size_t before = profile->thread_count, at = 0;
	int err = 0;

	for (size_t i = 0; i < interval->thread_count && !err; i++) {
		const struct scaler_thread thread =
			thread_of_sum(&interval->threads[i], interval->window.reading);

		while (at < before && profile->threads[at].serial < thread.serial)
			at++;
		if (at < before && profile->threads[at].serial == thread.serial)
			profile->threads[at] = thread_joined(&profile->threads[at], &thread);
		else
			err = profile_add_thread(profile, &thread);
	}
	return err;
}

static int add_samples(struct samples *sum, const struct samples *more)
{
	int err = 0;

	for (size_t i = 0; i < more->rows.count && !err; i++)
		err = samples_add(sum, &samples_rows(more)[i].sample, samples_rows(more)[i].count);
	return err;
}

static int add_blocking(struct interval_sum *sum, const struct blocking_intervals *more)
{
	struct blocking_intervals *blocking = &sum->profile.blocking;
	int err = 0;

	/* They come again in the next interval of the run. */
	blocking_intervals_drop_open(blocking);
	for (size_t i = 0; i < more->count && !err; i++) {
		struct scaler_blocking_interval interval = more->items[i];

		/* It came late. */
		if (interval.end_ns && interval.end_ns <= sum->run_start_ns)
			continue;
		if (interval.start_ns < sum->run_start_ns) {
			interval.start_ns = sum->run_start_ns;
			interval.flags |= SCALER_BLOCKING_FOUND;
		}
		/* It was woken before the run began, and had to wait for a CPU. */
		if (interval.woken_ns && interval.woken_ns < interval.start_ns)
			interval.woken_ns = interval.start_ns;
		err = blocking_intervals_add(blocking, &interval,
					     blocking_intervals_request(more, &interval));
	}
	blocking->dropped += more->dropped;
	return err;
}

static void add_figures(struct profile *profile, const struct profile *interval)
{
	if (!profile->window.end_ns)
		profile->window.start_ns = interval->window.start_ns;
	else
		profile->paused_ns += interval->window.start_ns - profile->window.end_ns;
	profile->window.end_ns = interval->window.end_ns;
	profile->wall_clock_ns = interval->wall_clock_ns;
	profile->recording_start_ns = interval->recording_start_ns;
	profile->functions = interval->functions;
	for (int cause = 0; cause < SCALER_LOSS_COUNTERS; cause++)
		profile->losses[cause] += interval->losses[cause];
	tracer_cost_add(&profile->cost, &interval->cost);
	sampling_add(&profile->sampling, &interval->sampling);
	sampling_add(&profile->library_sampling, &interval->library_sampling);
}

int interval_sum_add(struct interval_sum *sum, const struct profile *interval)
{
	struct profile *profile = &sum->profile;
	int err;

	if (sum->run_start_ns)
		close_calls(profile);
	else
		sum->run_start_ns = interval->window.start_ns;
	add_figures(profile, interval);
	err = add_threads(profile, interval)                             ?:
		      add_rows(profile, interval)                        ?:
		      add_open_calls(profile, interval)                  ?:
		      add_samples(&profile->samples, &interval->samples) ?:
		      add_blocking(sum, &interval->blocking)             ?:
		      profile_add_groups(profile, interval)              ?:
		      profile_copy_names(profile, interval);
	row_order_sort_threads(profile);
	return err;
}

void interval_sum_end_run(struct interval_sum *sum)
{
	struct blocking_intervals *blocking = &sum->profile.blocking;

	if (!sum->run_start_ns)
		return;
	for (size_t i = 0; i < blocking->count; i++) {
		struct scaler_blocking_interval *interval = &blocking->items[i];

		if (interval->end_ns)
			continue;
		interval->end_ns = sum->profile.window.end_ns;
		interval->flags |= SCALER_BLOCKING_FOUND;
	}
	sum->run_start_ns = 0;
}

void interval_sum_clear(struct interval_sum *sum)
{
	profile_clear(&sum->profile);
	*sum = (struct interval_sum){ 0 };
}
