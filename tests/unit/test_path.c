// SPDX-License-Identifier: GPL-2.0-only
/* Critical paths: known ones, whose they are, and laws that hold for all. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/critical_path.h"
#include "analysis/path_choice.h"
#include "schedule.h"

#define SEEDS 3000

/* Contiguous from one end to the other. */
static void check_times(const struct critical_path *path, uint64_t from_ns, uint64_t to_ns, unsigned int seed)
{
	for (size_t i = 0; i < path->count; i++) {
		cr_assert_eq(path->segments[i].from_ns, from_ns, "seed %u, segment %zu", seed, i);
		cr_assert_gt(path->segments[i].to_ns, from_ns, "seed %u, segment %zu", seed, i);
		from_ns = path->segments[i].to_ns;
	}
	cr_assert_eq(from_ns, to_ns, "seed %u: ends at %lu, not %lu", seed, from_ns, to_ns);
}

static void check_causes(const struct critical_path *path, const struct blocking_intervals *intervals,
			 uint32_t task, unsigned int seed)
{
	for (size_t i = 0; i < path->count; i++) {
		const struct path_segment *segment = &path->segments[i];
		enum chain_kind kind = segment->cause == CHAIN_WAIT ? segment->kind : segment->cause;

		for (uint64_t at_ns = segment->from_ns; at_ns < segment->to_ns; at_ns++) {
			struct schedule_cause expected = schedule_cause_of_task(intervals, task, at_ns, 0);

			cr_assert(kind == expected.kind && segment->task == expected.task,
				  "seed %u, task %u, at %lu: %d of %u, not %d of %u", seed, task, at_ns, kind,
				  segment->task, expected.kind, expected.task);
		}
	}
}

/* When a task came to be, before which it has no path of its own. */
static uint64_t created_at(const struct wait_history *history, uint32_t task)
{
	const struct history_thread *thread = wait_history_find(history, task);

	return thread && thread->count && thread->items[0].is_created ? thread->items[0].start_ns : 0;
}

static void check_path(const struct blocking_intervals *intervals, const struct wait_history *history,
		       unsigned int seed)
{
	unsigned int random = seed;
	uint32_t task = 1 + (uint32_t)rand_r(&random) % SCHEDULE_TASKS;
	uint64_t from_ns = 1 + (uint64_t)rand_r(&random) % (SCHEDULE_END - 1);
	uint64_t to_ns = from_ns + 1 + (uint64_t)rand_r(&random) % (SCHEDULE_END - from_ns);
	struct critical_path path = { 0 };

	/* One that is never created has no path. */
	if (to_ns <= created_at(history, task) ||
	    (task == SCHEDULE_CREATED && !wait_history_find(history, task)->count))
		return;
	cr_assert_eq(critical_path_find(history, task, from_ns, to_ns, &path), 0);
	check_times(&path, from_ns, to_ns, seed);
	check_causes(&path, intervals, task, seed);
	critical_path_clear(&path);
}

Test(path, each_moment_has_one_cause)
{
	for (unsigned int seed = 1; seed <= SEEDS; seed++) {
		struct blocking_intervals intervals = { 0 };
		struct wait_history history = { 0 };

		schedule_make(seed, &intervals);
		schedule_history(&intervals, &history);
		check_path(&intervals, &history, seed);
		blocking_intervals_clear(&intervals);
		wait_history_clear(&history);
	}
}

/* The time ends while 1 waits for 2, which will wake it: what 2 did up to then is on the path, and no more. */
Test(path, ends_within_a_wait)
{
	struct wait_history history = { 0 };
	struct critical_path path = { 0 };
	struct scaler_blocking_interval wait = {
		.where = { .task = 1, .site = 7 },
		.start_ns = 100,
		.woken_ns = 300,
		.end_ns = 310,
		.waker = { .context = SCALER_WAKER_TASK, .where = { .task = 2, .site = 8 } },
	};

	cr_assert_eq(wait_history_add_thread(&history, 1, (char[SCALER_COMM_SIZE]){ "one" }, 50), 0);
	cr_assert_eq(wait_history_add_thread(&history, 2, (char[SCALER_COMM_SIZE]){ "two" }, 50), 0);
	cr_assert(wait_history_add(&history, &wait, NULL));
	cr_assert_eq(critical_path_find(&history, 1, 60, 200, &path), 0);
	check_times(&path, 60, 200, 0);
	cr_assert_eq(path.count, 2);
	cr_expect(path.segments[0].kind == CHAIN_RUNNING && path.segments[0].task == 1);
	cr_expect_eq(wait_shape_get(&history.shapes, path.segments[0].shape)->key.site, 7);
	cr_expect(path.segments[1].kind == CHAIN_RUNNING && path.segments[1].task == 2);
	cr_expect_eq(path.segments[1].from_ns, 100);
	critical_path_clear(&path);
	/* Behind all that is known it ran until something that is not known. */
	cr_assert_eq(critical_path_find(&history, 1, 305, 400, &path), 0);
	check_times(&path, 305, 400, 0);
	cr_assert_eq(path.count, 2);
	cr_expect_eq(path.segments[0].kind, CHAIN_RUNNABLE);
	cr_expect_str_eq(wait_shape_get(&history.shapes, path.segments[1].shape)->key.comm, "one");
	critical_path_clear(&path);
	wait_history_clear(&history);
}

Test(path, longest)
{
	struct path_segment segments[] = {
		{ .from_ns = 0, .to_ns = 5 },
		{ .from_ns = 5, .to_ns = 20 },
		{ .from_ns = 20, .to_ns = 22 },
		{ .from_ns = 22, .to_ns = 30 },
	};
	const struct critical_path path = { .segments = segments, .count = 4 };
	struct critical_path longest;

	cr_assert_eq(critical_path_longest(&path, 2, &longest), 0);
	cr_assert_eq(longest.count, 2);
	cr_expect_eq(longest.segments[0].from_ns, 5);
	cr_expect_eq(longest.segments[1].from_ns, 22);
	critical_path_clear(&longest);
	cr_assert_eq(critical_path_longest(&path, 9, &longest), 0);
	cr_expect_eq(longest.count, 4);
	critical_path_clear(&longest);
}

static struct scaler_thread threads[] = {
	{ .serial = 1, .tgid = 10, .tid = 10, .comm = "server", .start_ns = 1000, .end_ns = 9000 },
	{ .serial = 2, .tgid = 10, .tid = 11, .comm = "worker", .start_ns = 2000, .end_ns = 9500 },
	{ .serial = 3, .tgid = 20, .tid = 20, .comm = "client", .start_ns = 1500 },
	{ .serial = 4, .tgid = 20, .tid = 21, .comm = "worker", .start_ns = 3000 },
	{ .serial = 5, .tgid = 20, .tid = 22, .comm = "worker", .start_ns = 4000 },
};

static const struct profile profile = {
	.window = { .start_ns = 1200, .end_ns = 10000 },
	.recording_start_ns = 1000,
	.threads = threads,
	.thread_count = 5,
};

static void expect_choice(struct path_options options, uint32_t tid, bool is_process, uint64_t from_ns,
			  uint64_t to_ns)
{
	struct path_choice choice = path_choose(&profile, &options);

	cr_assert_not_null(choice.thread);
	cr_expect_eq(choice.thread->tid, tid, "%u", choice.thread->tid);
	cr_expect_eq(choice.is_process, is_process);
	cr_expect_eq(choice.from_ns, from_ns, "from %lu", choice.from_ns);
	cr_expect_eq(choice.to_ns, to_ns, "to %lu", choice.to_ns);
}

Test(path, choice)
{
	const struct path_options nobody = { .task = "nobody" }, no_target = { 0 };

	/* A process lasts as long as any of its threads; of those that live on the first one counts. */
	expect_choice((struct path_options){ .target = 10 }, 11, true, 1200, 9500);
	expect_choice((struct path_options){ .task = "10", .target = 20 }, 11, true, 1200, 9500);
	expect_choice((struct path_options){ .target = 20 }, 20, true, 1500, 10000);
	/* A thread by its number, its name or a pattern. */
	expect_choice((struct path_options){ .target = 21 }, 21, false, 3000, 10000);
	expect_choice((struct path_options){ .task = "22" }, 22, false, 4000, 10000);
	expect_choice((struct path_options){ .task = "worker" }, 21, false, 3000, 10000);
	expect_choice((struct path_options){ .task = "s?rv*" }, 10, false, 1200, 9000);
	/* Times count from the recording's beginning, and where it was not there it has none. */
	expect_choice((struct path_options){ .target = 20, .since_ns = 1000, .until_ns = 4000 }, 20, true,
		      2000, 5000);
	expect_choice((struct path_options){ .target = 10, .since_ns = 8800 }, 11, true, 9500, 9500);
	cr_expect_null(path_choose(&profile, &nobody).thread);
	cr_expect_null(path_choose(&profile, &no_target).thread);
}
