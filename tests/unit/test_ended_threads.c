// SPDX-License-Identifier: GPL-2.0-only
/* What ended threads leave: each its own rows while they are few, then those of one name together, and nothing is lost. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/ended_threads.h"

#define START_NS 1000
#define CALLS    20 /* rows of each thread */

/* Threads from first on that have ended, each with rows of its own, an error, and a call that never returned. */
static void leave(struct profile *taken, uint32_t first, uint32_t count, const char *format)
{
	*taken = (struct profile){ 0 };
	for (uint32_t serial = first; serial < first + count; serial++) {
		struct scaler_thread thread = {
			.serial = serial,
			.tgid = serial,
			.tid = serial,
			.start_ns = START_NS,
			.since_ns = START_NS + 100,
			.end_ns = START_NS + 100,
			.time_ns = { 100 },
			.call = { .enter_ns = START_NS + 60, .site = 7, .id = { .number = 231 } },
		};
		struct scaler_call_stats stats = { .count = 1, .total_ns = 2, .buckets = { [1] = 1 } };
		struct scaler_error_key error = { .call = { .site = 1, .task = serial }, .code = 2 };

		snprintf(thread.comm, sizeof(thread.comm), format, serial);
		cr_assert_not(profile_add_thread(taken, &thread));
		for (uint64_t site = 1; site <= CALLS; site++) {
			struct scaler_call_key key = { .site = site, .task = serial };

			if (site == CALLS)
				key.id.abi = SCALER_ABI_LIBRARY;
			cr_assert_not(profile_add_call(taken, &key, &stats));
		}
		cr_assert_not(profile_add_error(taken, &error, 3));
	}
}

static void add(struct ended_threads *ended, uint32_t first, uint32_t count, const char *format)
{
	struct profile taken;

	leave(&taken, first, count, format);
	cr_assert_not(ended_threads_add(ended, &taken));
	profile_clear(&taken);
}

struct sums {
	uint64_t calls, library_calls, partial, errors, total_ns, buckets, threads;
};

/* Of all rows, or of those of one thread or group. */
static struct sums sum(const struct profile *reading, uint32_t task)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < reading->call_count; i++) {
		const struct profile_call *call = &reading->calls[i];

		if (task && call->key.task != task)
			continue;
		sums.calls += call->stats.count;
		sums.partial += call->stats.partial.count;
		sums.total_ns += call->stats.total_ns;
		sums.buckets += call->stats.buckets[1];
	}
	for (size_t i = 0; i < reading->library_call_count; i++) {
		if (!task || reading->library_calls[i].key.task == task)
			sums.library_calls += reading->library_calls[i].stats.count;
	}
	for (size_t i = 0; i < reading->error_count; i++) {
		if (!task || reading->errors[i].key.call.task == task)
			sums.errors += reading->errors[i].count;
	}
	for (size_t i = 0; i < reading->group_count; i++)
		sums.threads += reading->groups[i].threads;
	return sums;
}

Test(ended_threads, few_stay_by_themselves)
{
	struct ended_threads ended = { 0 };
	struct profile reading = { 0 };
	const struct scaler_thread living = { .serial = 5, .start_ns = START_NS, .since_ns = START_NS + 1 };

	add(&ended, 10, 20, "thread-%u");
	add(&ended, 1, 4, "thread-%u");
	cr_assert_not(profile_add_thread(&reading, &living));
	cr_assert_not(ended_threads_move(&ended, &reading));
	cr_expect_eq(reading.group_count, 0);
	cr_assert_eq(reading.thread_count, 25);
	for (uint32_t i = 1; i < 25; i++)
		cr_expect_lt(reading.threads[i - 1].serial, reading.threads[i].serial);
	cr_assert_eq(reading.open_call_count, 24);
	cr_expect_eq(reading.open_calls[0].key.task, 1);
	cr_expect_eq(reading.open_calls[23].key.task, 29);
	cr_expect_eq(sum(&reading, 12).calls, CALLS - 1);
	cr_expect_eq(sum(&reading, 12).library_calls, 1);
	cr_expect_eq(sum(&reading, 0).errors, 24 * 3);
	profile_clear(&reading);
	/* They are in no later reading. */
	cr_assert_not(ended_threads_move(&ended, &reading));
	cr_expect_eq(reading.thread_count, 0);
	ended_threads_clear(&ended);
}

Test(ended_threads, many_are_joined_by_name)
{
	const uint32_t count = 2 * ENDED_ROWS_MAX / CALLS;
	struct ended_threads ended = { 0 };
	struct profile reading = { 0 };
	struct sums sums;

	add(&ended, 1, count / 2, "cc1");
	add(&ended, 1 + count / 2, count / 2, "sh");
	add(&ended, 1 + count, 1, "sh");
	cr_assert_not(ended_threads_move(&ended, &reading));
	cr_assert_eq(reading.group_count, 2);
	cr_assert_eq(reading.thread_count, count / 2 * 2 + 1);
	cr_expect_null(profile_find_thread(&reading, reading.groups[0].serial));
	cr_expect_str_eq(profile_find_group(&reading, reading.groups[1].serial)->comm, "sh");
	cr_expect_eq(reading.groups[1].threads, count / 2 + 1);
	/* The calls that never returned are cut short in the group's rows. */
	cr_expect_eq(reading.open_call_count, 0);
	cr_expect_eq(reading.call_count, 2 * CALLS);
	cr_expect_eq(sum(&reading, 1).calls, 0, "no thread has rows of its own");
	sums = sum(&reading, reading.groups[1].serial);
	cr_expect_eq(sums.calls, (count / 2 + 1) * (CALLS - 1));
	cr_expect_eq(sums.buckets, sums.calls);
	cr_expect_eq(sums.total_ns, 2 * sums.calls);
	cr_expect_eq(sums.library_calls, count / 2 + 1);
	cr_expect_eq(sums.partial, count / 2 + 1);
	cr_expect_eq(sums.errors, (count / 2 + 1) * 3);
	profile_clear(&reading);
	ended_threads_clear(&ended);
}

/* The next reading is compared with the last one by the rows of its threads. */
Test(ended_threads, those_of_the_last_reading_stay_by_themselves)
{
	const uint32_t count = 2 * ENDED_ROWS_MAX / CALLS;
	const struct scaler_thread living = { .serial = 7, .start_ns = START_NS, .since_ns = START_NS + 1 };
	struct ended_threads ended = { 0 };
	struct profile first = { 0 }, second = { 0 }, third = { 0 };

	cr_assert_not(profile_add_thread(&first, &living));
	cr_assert_not(ended_threads_move(&ended, &first));
	add(&ended, 7, 1, "sh");
	add(&ended, 8, count, "sh");
	cr_assert_not(ended_threads_move(&ended, &second));
	cr_expect_eq(sum(&second, 7).calls, CALLS - 1);
	cr_expect_eq(second.open_call_count, 1);
	cr_expect_eq(sum(&second, 0).calls, (count + 1) * (CALLS - 1));
	cr_assert_eq(second.group_count, 1);
	cr_expect_eq(second.groups[0].threads, count);
	/* Nor is a group of one reading another's. */
	add(&ended, 9 + count, count, "sh");
	cr_assert_not(ended_threads_move(&ended, &third));
	cr_assert_eq(third.group_count, 1);
	cr_expect_neq(third.groups[0].serial, second.groups[0].serial);
	profile_clear(&first);
	profile_clear(&second);
	profile_clear(&third);
	ended_threads_clear(&ended);
}

Test(ended_threads, names_without_end)
{
	const uint32_t count = 2 * ENDED_ROWS_MAX / CALLS;
	struct ended_threads ended = { 0 };
	struct profile reading = { 0 };

	add(&ended, 1, count, "worker-%u");
	/* Letters in the place of digits: no two of them are alike. */
	for (uint32_t i = 0; i < 3 * ENDED_GROUPS_MAX; i++) {
		char name[] = {
			'w', '-', (char)('a' + i % 26), (char)('a' + i / 26 % 26), (char)('a' + i / 676), 0
		};

		add(&ended, 1 + count + i, 1, name);
	}
	cr_assert_not(ended_threads_move(&ended, &reading));
	cr_expect_eq(reading.group_count, ENDED_GROUPS_MAX);
	cr_expect_str_eq(reading.groups[ENDED_GROUPS_MAX - 1].comm, "others");
	cr_expect_eq(sum(&reading, 0).threads, count + 3 * ENDED_GROUPS_MAX);
	cr_expect_eq(sum(&reading, 0).calls, (count + 3 * ENDED_GROUPS_MAX) * (CALLS - 1));
	profile_clear(&reading);
	ended_threads_clear(&ended);
}

Test(ended_threads, threads_that_are_not_kept_are_counted)
{
	const uint32_t batch = 16384, more = 13;
	struct ended_threads ended = { 0 };
	struct profile taken = { 0 }, reading = { 0 };

	for (uint32_t serial = 1; serial <= ENDED_THREADS_MAX + more; serial++) {
		const struct scaler_thread thread = { .serial = serial, .end_ns = START_NS, .comm = "sh" };

		cr_assert_not(profile_add_thread(&taken, &thread));
		if (serial % batch == 0) {
			cr_assert_not(ended_threads_add(&ended, &taken));
			profile_clear(&taken);
		}
	}
	cr_assert_not(ended_threads_add(&ended, &taken));
	profile_clear(&taken);
	cr_assert_not(ended_threads_move(&ended, &reading));
	cr_expect_eq(reading.thread_count, ENDED_THREADS_MAX);
	cr_expect_eq(reading.losses[SCALER_LOSS_THREADS_KEPT], more);
	cr_expect_eq(sum(&reading, 0).threads, ENDED_THREADS_MAX + more);
	profile_clear(&reading);
	ended_threads_clear(&ended);
}
