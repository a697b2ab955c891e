// SPDX-License-Identifier: GPL-2.0-only
/* Sums of blocking intervals: which are one sum, and its figures; and which intervals are reported at all. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/lock_summary.h"
#include "analysis/wait_summary.h"
#include "base/array.h"
#include "model/profile.h"

#define MS 1000000ULL

/* What the tests vary; all else is alike. */
static struct scaler_blocking_interval make_interval(uint32_t task, uint64_t start_ns, uint64_t blocked_ns)
{
	return (struct scaler_blocking_interval){
		.where = { .task = task },
		.start_ns = start_ns,
		.woken_ns = start_ns + blocked_ns,
		.end_ns = start_ns + blocked_ns + 10,
		.state = 1,
		.flags = SCALER_BLOCKING_IN_CALL,
		.call = { .number = 202 },
		.names = { 10, 100 + task, "worker" },
		.waker = { .context = SCALER_WAKER_TASK,
			   .vector = SCALER_VECTOR_NONE,
			   .names = { 10, 7, "main" } },
		.resource = { .kind = SCALER_RESOURCE_FUTEX, .id = 0x1000 },
	};
}

struct fixture {
	struct profile profile;
	struct places places;
	struct report_options options;
	struct blocking_report blocking;
	struct wait_summary waits;
	struct lock_summary locks;
};

static void add(struct fixture *fixture, struct scaler_blocking_interval interval)
{
	cr_assert_eq(blocking_intervals_add(&fixture->profile.blocking, &interval, NULL), 0);
}

static void summarise(struct fixture *fixture, enum sort_key sort)
{
	fixture->profile.window = (struct scaler_window){ .start_ns = 1000 * MS, .end_ns = 10000 * MS };
	fixture->profile.recording_start_ns = 1000 * MS;
	cr_assert_eq(blocking_report_make(&fixture->profile, &fixture->places, &fixture->options,
					  &fixture->blocking),
		     0);
	cr_assert_eq(wait_summary_make(&fixture->blocking, sort, &fixture->waits), 0);
	cr_assert_eq(lock_summary_make(&fixture->blocking, &fixture->profile.window, sort, &fixture->locks),
		     0);
}

static void clear(struct fixture *fixture)
{
	lock_summary_clear(&fixture->locks);
	wait_summary_clear(&fixture->waits);
	blocking_report_clear(&fixture->blocking);
	profile_clear(&fixture->profile);
	globs_clear(&fixture->options.filter.tasks);
	*fixture = (struct fixture){ 0 };
}

Test(waits, figures)
{
	struct fixture fixture = { 0 };
	const struct wait_row *row = NULL;

	/* 200 by two threads: 1 to 200 ms, the longest first. */
	for (unsigned int i = 0; i < 200; i++)
		add(&fixture, make_interval(1 + i % 2, (1001 + 3 * i) * MS, (200 - i) * MS));
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.waits.row_count, 1);
	row = fixture.waits.rows;
	cr_expect_eq(row->figures.count, 200);
	cr_expect_eq(row->thread_count, 2);
	cr_expect_eq(row->figures.blocked_ns, 200 * 201 / 2 * MS);
	cr_expect_eq(row->figures.delay_ns, 200 * 10);
	cr_expect_eq(row->p99_ns, 198 * MS);
	cr_expect_eq(row->longest.blocked_ns, 200 * MS);
	cr_expect_eq(row->longest.interval->start_ns, 1001 * MS);
	cr_expect_not(row->figures.is_lower_bound);
	cr_expect_eq(fixture.waits.total.blocked_ns, row->figures.blocked_ns);
	clear(&fixture);
}

Test(waits, what_makes_another_sum)
{
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval = make_interval(1, 2000 * MS, MS);

	add(&fixture, interval);
	interval = make_interval(1, 2020 * MS, MS);
	interval.names.comm[0] = 'W';
	add(&fixture, interval);
	interval = make_interval(1, 2030 * MS, MS);
	interval.call.number = 0;
	add(&fixture, interval);
	interval = make_interval(1, 2040 * MS, MS);
	interval.flags = 0;
	add(&fixture, interval);
	interval = make_interval(1, 2050 * MS, MS);
	interval.resource.flags = SCALER_RESOURCE_SHARED;
	add(&fixture, interval);
	interval = make_interval(1, 2060 * MS, MS);
	interval.waker.names.tgid = 12;
	add(&fixture, interval);
	interval = make_interval(1, 2065 * MS, MS);
	interval.waker.signal = 9;
	add(&fixture, interval);
	interval = make_interval(1, 2070 * MS, MS);
	interval.waker.context = SCALER_WAKER_SOFTIRQ;
	add(&fixture, interval);
	interval = make_interval(1, 2080 * MS, MS);
	interval.waker.context = SCALER_WAKER_SOFTIRQ;
	interval.waker.vector = 3;
	add(&fixture, interval);
	interval = make_interval(1, 2082 * MS, MS);
	interval.waker.context = SCALER_WAKER_WORKQUEUE;
	interval.waker.queued_in = SCALER_WAKER_SOFTIRQ;
	add(&fixture, interval);
	interval = make_interval(1, 2084 * MS, MS);
	interval.waker.context = SCALER_WAKER_WORKQUEUE;
	interval.waker.queued_in = SCALER_WAKER_HARDIRQ;
	add(&fixture, interval);
	interval = make_interval(1, 2090 * MS, MS);
	interval.waker.context = SCALER_WAKER_UNSEEN;
	add(&fixture, interval);
	/* Its wakeup may come yet. */
	interval.start_ns = 2100 * MS;
	interval.woken_ns = interval.end_ns = 0;
	add(&fixture, interval);
	summarise(&fixture, SORT_DEFAULT);
	cr_expect_eq(fixture.waits.row_count, 13);
	for (size_t i = 0; i < fixture.waits.row_count; i++)
		cr_expect_eq(fixture.waits.rows[i].figures.count, 1);
	cr_expect(fixture.waits.rows[0].figures.is_lower_bound);
	cr_expect(fixture.waits.total.is_lower_bound);
	clear(&fixture);
}

/* Descriptors, timeouts, who ran when an interrupt came, and which of a process's threads woke. */
Test(waits, what_does_not)
{
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval = make_interval(1, 2000 * MS, MS);

	interval.resource = (struct scaler_resource){
		.kind = SCALER_RESOURCE_FILE, .descriptor = SCALER_DESCRIPTOR_PIPE, .number = 3, .id = 555
	};
	add(&fixture, interval);
	interval.start_ns += 10 * MS;
	interval.resource.number = 4;
	interval.resource.timeout = SCALER_TIMEOUT_RELATIVE;
	interval.resource.timeout_ns = 100 * MS;
	interval.waker.names.tid = 8;
	add(&fixture, interval);
	for (uint32_t i = 0; i < 2; i++) {
		interval = make_interval(1, (2020 + 10 * i) * MS, MS);
		interval.waker = (struct scaler_waker){ .context = SCALER_WAKER_HARDIRQ,
							.is_timer = 1,
							.vector = SCALER_VECTOR_NONE,
							.names = { 50 + i, 60 + i, "running" } };
		add(&fixture, interval);
	}
	summarise(&fixture, SORT_DEFAULT);
	cr_expect_eq(fixture.waits.row_count, 2);
	for (size_t i = 0; i < fixture.waits.row_count; i++) {
		cr_expect_eq(fixture.waits.rows[i].figures.count, 2);
		cr_expect_eq(fixture.waits.rows[i].longest.resource.timeout_ns, 0);
	}
	clear(&fixture);
}

/* One after the other of one name, as a shell's children; the process's own threads are others. */
Test(waits, several_processes)
{
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval = make_interval(1, 2000 * MS, MS);

	for (uint32_t i = 0; i < 6; i++) {
		interval = make_interval(i / 2, (2000 + i) * MS, MS);
		interval.names.tgid = interval.waker.names.tgid = 10 + i / 4;
		add(&fixture, interval);
	}
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.waits.row_count, 1);
	cr_expect_eq(fixture.waits.rows[0].process_count, 2);
	cr_expect_eq(fixture.waits.rows[0].thread_count, 3);
	clear(&fixture);
	interval = make_interval(1, 2000 * MS, MS);

	for (uint32_t i = 0; i < 3; i++) {
		interval.start_ns += 10 * MS;
		interval.waker.names.tgid = 10 + i;
		add(&fixture, interval);
	}
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.waits.row_count, 2);
	for (size_t i = 0; i < 2; i++)
		cr_expect_eq(fixture.waits.rows[i].has_several_wakers,
			     fixture.waits.rows[i].figures.count == 2);
	clear(&fixture);
}

Test(waits, asleep_all_the_time)
{
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval = make_interval(1, 900 * MS, MS);

	interval.flags |= SCALER_BLOCKING_FOUND;
	interval.woken_ns = interval.end_ns = 0;
	add(&fixture, interval);
	/* This one is woken at last. */
	interval.where.task = 2;
	interval.woken_ns = interval.end_ns = 3000 * MS;
	add(&fixture, interval);
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.waits.row_count, 1);
	cr_expect_eq(fixture.waits.rows[0].figures.blocked_ns, 2000 * MS);
	cr_expect(fixture.waits.rows[0].figures.is_lower_bound);
	clear(&fixture);
}

Test(waits, sort)
{
	static const struct {
		enum sort_key sort;
		uint16_t first; /* system call */
	} cases[] = {
		{ SORT_DEFAULT, 1 }, { SORT_BLOCKED, 1 }, { SORT_SWITCHES, 2 },
		{ SORT_MAX, 1 },     { SORT_P99, 1 },     { SORT_RUNNABLE, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture fixture = { 0 };
		struct scaler_blocking_interval interval = make_interval(1, 2000 * MS, 100 * MS);

		interval.call.number = 1;
		add(&fixture, interval);
		for (unsigned int j = 0; j < 3; j++) {
			interval = make_interval(1, (2200 + j) * MS, MS / 2);
			interval.call.number = 2;
			add(&fixture, interval);
		}
		interval = make_interval(1, 3000 * MS, 10 * MS);
		interval.call.number = 3;
		interval.end_ns += MS;
		add(&fixture, interval);
		summarise(&fixture, cases[i].sort);
		cr_assert_eq(fixture.waits.row_count, 3);
		cr_expect_eq(fixture.waits.rows[0].longest.interval->call.number, cases[i].first, "case %zu",
			     i);
		cr_expect_eq(wait_summary_rest(&fixture.waits, 0).count, 5);
		clear(&fixture);
	}
}

/* One interval, from 2 s to 2.5 s after the recording began. */
Test(waits, filter)
{
	static const struct {
		struct blocking_filter filter;
		const char *tasks;
		bool fits;
	} cases[] = {
		{ { 0 }, NULL, true },
		{ { .least_ns = 500 * MS }, NULL, true },
		{ { .least_ns = 500 * MS + 1 }, NULL, false },
		{ { .since_ns = 2400 * MS }, NULL, true },
		{ { .since_ns = 2600 * MS }, NULL, false },
		{ { .until_ns = 2100 * MS }, NULL, true },
		{ { .until_ns = 2000 * MS }, NULL, false },
		{ { .since_ns = 2100 * MS, .until_ns = 2200 * MS }, NULL, true },
		{ { .states = "DS" }, NULL, true },
		{ { .states = "D" }, NULL, false },
		{ { 0 }, "work*", true },
		{ { 0 }, "101", true },
		{ { 0 }, "main,102,10,wor", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture fixture = { .options.filter = cases[i].filter };

		if (cases[i].tasks)
			cr_assert_eq(globs_add(&fixture.options.filter.tasks, cases[i].tasks), 0);
		cr_expect_eq(blocking_filter_is_empty(&fixture.options.filter), i == 0);
		add(&fixture, make_interval(1, 3000 * MS, 500 * MS));
		summarise(&fixture, SORT_DEFAULT);
		cr_expect_eq(fixture.blocking.row_count, cases[i].fits, "case %zu", i);
		cr_expect_eq(fixture.blocking.left_out, !cases[i].fits, "case %zu", i);
		clear(&fixture);
	}
}

/* One that is not over yet is in every later time. */
Test(waits, filter_of_open_intervals)
{
	struct fixture fixture = { .options.filter = { .since_ns = 8000 * MS, .least_ns = 7000 * MS } };
	struct scaler_blocking_interval interval = make_interval(1, 3000 * MS, MS);

	interval.woken_ns = interval.end_ns = 0;
	add(&fixture, interval);
	summarise(&fixture, SORT_DEFAULT);
	cr_expect_eq(fixture.waits.row_count, 1);
	clear(&fixture);
}

Test(waits, convoy)
{
	static const struct {
		uint64_t starts_ns[6], ends_ns[6];
		size_t count;
		struct convoy expected;
	} cases[] = {
		{ { 0 }, { 0 }, 0, { 0, 0, 0, 0 } },
		{ { 5 }, { 9 }, 1, { 1, 5, 4, 1 } },
		/* One after the other; without a gap, and with one. */
		{ { 10, 20, 30 }, { 20, 29, 41 }, 3, { 2, 10, 19, 2 } },
		/* Two queues; in the first three at once, the second is longer. */
		{ { 14, 10, 12, 50, 59 }, { 15, 20, 22, 60, 70 }, 5, { 3, 50, 20, 2 } },
		{ { 10, 10, 10 }, { 20, 15, 30 }, 3, { 3, 10, 20, 3 } },
		/* Of no length: a wakeup was faster. */
		{ { 10, 12 }, { 10, 13 }, 2, { 1, 12, 1, 1 } },
		{ { 10, 11, 20 }, { 15, 11, 25 }, 3, { 2, 10, 5, 2 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct convoy *expected = &cases[i].expected;
		uint64_t starts_ns[6], ends_ns[6];
		struct convoy found;

		memcpy(starts_ns, cases[i].starts_ns, sizeof(starts_ns));
		memcpy(ends_ns, cases[i].ends_ns, sizeof(ends_ns));
		found = convoy_find(starts_ns, ends_ns, cases[i].count);
		cr_expect(found.most_waiting == expected->most_waiting &&
				  found.start_ns == expected->start_ns &&
				  found.duration_ns == expected->duration_ns &&
				  found.waits == expected->waits,
			  "case %zu: %zu at once, %zu from %lu for %lu", i, found.most_waiting, found.waits,
			  found.start_ns, found.duration_ns);
	}
}

/* A place in a file that is shared is one lock for all processes; an address is only one process's. */
Test(waits, locks_of_several_processes)
{
	struct fixture fixture = { 0 };

	for (uint32_t i = 0; i < 4; i++) {
		struct scaler_blocking_interval interval = make_interval(1 + i, 2000 * MS, (1 + i) * MS);

		interval.names.tgid = 10 + i;
		interval.resource.id = 0x1000 * (1 + i);
		interval.resource.flags = SCALER_RESOURCE_SHARED;
		/* Not in a file, the last two. */
		interval.resource.site = i < 2 ? 0x99 : 0;
		if (i == 3)
			interval.resource.id = 0x3000;
		add(&fixture, interval);
	}
	fixture.places = (struct places){ .sites = (struct place_site[]){ { 0x99, 0 } }, .site_count = 1 };
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.locks.row_count, 3);
	cr_expect_eq(fixture.locks.rows[0].figures.blocked_ns, 4 * MS);
	cr_expect_eq(fixture.locks.rows[1].process_count, 2);
	cr_expect_eq(fixture.locks.rows[1].thread_count, 2);
	cr_expect_eq(fixture.locks.rows[1].convoy.most_waiting, 2);
	cr_expect_eq(fixture.locks.rows[1].convoy.duration_ns, 2 * MS);
	cr_expect_eq(fixture.locks.rows[2].process_count, 1);
	clear(&fixture);
}

Test(waits, locks_are_released_by)
{
	static const char *const names[] = { "b", "a", "a", "c", "a", "b" };
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval;
	const struct lock_waker *wakers;

	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		interval = make_interval(1, (2000 + 10 * i) * MS, MS);
		interval.waker.names = (struct scaler_task_names){ 10, 20 + i, { names[i][0] } };
		add(&fixture, interval);
	}
	interval = make_interval(1, 3000 * MS, MS);
	interval.waker.context = SCALER_WAKER_HARDIRQ;
	interval.waker.is_timer = 1;
	add(&fixture, interval);
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.locks.row_count, 1);
	cr_expect_eq(fixture.locks.rows[0].figures.count, 7);
	cr_expect_eq(fixture.locks.rows[0].timeouts, 1);
	cr_assert_eq(fixture.locks.rows[0].waker_count, 3);
	wakers = fixture.locks.wakers + fixture.locks.rows[0].first_waker;
	for (unsigned int i = 0; i < 3; i++) {
		cr_expect_eq(wakers[i].names->comm[0], "abc"[i]);
		cr_expect_eq(wakers[i].count, 3 - i);
	}
	clear(&fixture);
}

/* One that was in the queue itself wakes the next, when it has had the lock for a moment: the waiting is for another. */
Test(waits, locks_are_waited_for_holders)
{
	static const struct {
		char waker;
		uint64_t start_ns, end_ns;
	} given[] = {
		{ 'h', 2010 * MS, 2100 * MS }, { 'q', 2020 * MS, 2101 * MS }, { 'h', 2030 * MS, 2201 * MS },
		{ 'q', 2150 * MS, 2203 * MS }, { 't', 2190 * MS, 2300 * MS },
	};
	struct fixture fixture = { 0 };
	const struct lock_waker *wakers;

	for (uint32_t i = 0; i < ARRAY_SIZE(given); i++) {
		struct scaler_blocking_interval interval =
			make_interval(1 + i, given[i].start_ns, given[i].end_ns - given[i].start_ns);

		interval.waker.names = (struct scaler_task_names){ 10, 20 + i, { given[i].waker } };
		if (given[i].waker == 't')
			interval.waker.context = SCALER_WAKER_HARDIRQ;
		add(&fixture, interval);
	}
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.locks.row_count, 1);
	cr_assert_eq(fixture.locks.rows[0].waker_count, 2);
	wakers = fixture.locks.wakers + fixture.locks.rows[0].first_waker;
	cr_expect_eq(wakers[0].names->comm[0], 'h');
	/* Until it lets go the first time: 90, 80 and 70; then from 2101 on: 100, 51 and 11. */
	cr_expect_eq(wakers[0].waiting_ns, (90 + 80 + 70 + 100 + 51 + 11) * MS);
	/* 1 ms of two, and 2 ms of the two that are left. */
	cr_expect_eq(wakers[1].waiting_ns, (2 + 4) * MS);
	clear(&fixture);
}

/* Those that wait all the time count for nothing else; who they wait for is told while they do. */
Test(waits, locks_that_are_held)
{
	const struct scaler_thread holder = {
		.serial = 9, .tgid = 10, .tid = 77, .own_tid = 5, .start_ns = 1
	};
	struct fixture fixture = { 0 };
	struct scaler_blocking_interval interval = make_interval(1, 900 * MS, MS);

	cr_assert_eq(profile_add_thread(&fixture.profile, &holder), 0);
	interval.flags |= SCALER_BLOCKING_FOUND;
	interval.woken_ns = interval.end_ns = 0;
	interval.resource.owner = 5;
	add(&fixture, interval);
	/* One that has been let in. */
	interval = make_interval(2, 2000 * MS, MS);
	add(&fixture, interval);
	summarise(&fixture, SORT_DEFAULT);
	cr_assert_eq(fixture.locks.row_count, 1);
	cr_expect_eq(fixture.locks.rows[0].thread_count, 2);
	cr_expect_eq(fixture.locks.rows[0].idle_count, 1);
	cr_expect_eq(fixture.locks.rows[0].figures.blocked_ns, MS);
	cr_assert(fixture.locks.rows[0].holder);
	cr_expect_eq(fixture.locks.rows[0].holder->tid, 77);
	clear(&fixture);
}

static size_t streamed(struct fixture *fixture, enum report_stream stream, uint64_t starts_ms[8])
{
	fixture->options.stream = stream;
	summarise(fixture, SORT_DEFAULT);
	for (size_t i = 0; i < fixture->blocking.row_count; i++)
		starts_ms[i] = fixture->blocking.rows[i].interval->start_ns / MS;
	return fixture->blocking.row_count;
}

/* In the order of their ends, over all threads; what has not ended only at last, and of that what began. */
Test(waits, stream)
{
	static const enum report_stream streams[] = { REPORT_STREAM_ENDED, REPORT_STREAM_LAST };
	static const uint64_t expected[] = { 2100, 2000, 2200, 2300 };

	for (size_t i = 0; i < ARRAY_SIZE(streams); i++) {
		struct fixture fixture = { 0 };
		struct scaler_blocking_interval interval = make_interval(3, 2300 * MS, 0);
		uint64_t starts_ms[8];

		add(&fixture, make_interval(1, 2000 * MS, 400 * MS));
		add(&fixture, make_interval(2, 2100 * MS, 100 * MS));
		add(&fixture, make_interval(2, 2200 * MS, 300 * MS));
		interval.woken_ns = interval.end_ns = 0;
		add(&fixture, interval);
		interval.where.task = 4;
		interval.flags |= SCALER_BLOCKING_FOUND;
		add(&fixture, interval);
		cr_expect_eq(streamed(&fixture, streams[i], starts_ms), 3 + i);
		cr_expect(!memcmp(starts_ms, expected, (3 + i) * sizeof(*expected)));
		clear(&fixture);
	}
}
