// SPDX-License-Identifier: GPL-2.0-only
/* Intervals between readings of one recording: whatever happens, they add up to the whole. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include <scaler/thread_state.h>

#include "model/interval.h"
#include "model/interval_sum.h"
#include "synthetic.h"

#define START_NS 1000
#define THREADS  3
#define NUMBERS  3
#define READINGS 40

/* A recording made up step by step, as the kernel side would: threads that make calls and sleep in them. */
struct simulation {
	struct scaler_window window;
	uint64_t now_ns;
	struct scaler_thread threads[THREADS];
	struct scaler_call_stats rows[THREADS][NUMBERS];
	uint64_t longest_delay_ns; /* what the intervals must find */
};

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void enter_call(struct simulation *simulation, int number, struct scaler_thread *thread)
{
	thread->call = (struct scaler_open_call){
		.enter_ns = simulation->now_ns,
		.site = 1,
		.runnable_ns = thread->time_ns[SCALER_RUNNABLE],
		.blocked_ns = thread->time_ns[SCALER_BLOCKED],
		.id = { .number = (uint16_t)number },
	};
}

static void leave_call(struct simulation *simulation, int thread_index)
{
	struct scaler_thread *thread = &simulation->threads[thread_index];
	struct scaler_call_stats *stats = &simulation->rows[thread_index][thread->call.id.number];
	uint64_t total_ns = simulation->now_ns - thread->call.enter_ns;

	thread->calls++;
	stats->count++;
	stats->total_ns += total_ns;
	stats->runnable_ns += thread->time_ns[SCALER_RUNNABLE] - thread->call.runnable_ns;
	stats->blocked_ns += thread->time_ns[SCALER_BLOCKED] - thread->call.blocked_ns;
	stats->buckets[scaler_bucket(total_ns)]++;
	if (total_ns > stats->max_ns) {
		stats->max_ns = total_ns;
		stats->max_start_ns = thread->call.enter_ns;
	}
	thread->call.enter_ns = 0;
}

/* The thread's delay ends, or the thread within it. */
static void note_delay(struct simulation *simulation, const struct scaler_thread *thread)
{
	if (thread->state == SCALER_BLOCKED && thread->woken_ns)
		simulation->longest_delay_ns =
			max(simulation->longest_delay_ns, simulation->now_ns - thread->woken_ns);
}

/* One thread does the next thing that it can do. */
static void step(struct simulation *simulation)
{
	static const struct scaler_switch_kind sleeps = { 1, 1 };
	static const struct scaler_switch_facts no_facts;
	int index = rand() % THREADS;
	struct scaler_thread *thread = &simulation->threads[index];

	simulation->now_ns += 1 + (uint64_t)(rand() % 1000);
	if (thread->end_ns)
		return;
	if (thread->state == SCALER_BLOCKED && !thread->woken_ns) {
		thread->woken_ns = simulation->now_ns;
	} else if (thread->state == SCALER_BLOCKED) {
		note_delay(simulation, thread);
		scaler_thread_switch_in(thread, &simulation->window, simulation->now_ns, &no_facts);
	} else if (!thread->call.enter_ns) {
		enter_call(simulation, rand() % NUMBERS, thread);
	} else if (rand() % 3 == 0) {
		scaler_thread_switch_out(thread, &simulation->window, simulation->now_ns, &sleeps, &no_facts);
	} else {
		leave_call(simulation, index);
	}
}

/* A reading as the fold is read: rows first, then, a little later, the threads. */
static void read_all(struct simulation *simulation, struct profile *reading)
{
	reading->window = simulation->window;
	simulation->window.reading++;
	for (int i = 0; i < THREADS; i++) {
		for (int number = 0; number < NUMBERS; number++) {
			const struct scaler_call_key key = {
				1, (uint32_t)i, { .number = (uint16_t)number }, 0, 0
			};

			if (simulation->rows[i][number].count)
				cr_assert_eq(profile_add_call(reading, &key, &simulation->rows[i][number]),
					     0);
		}
	}
	for (int steps = rand() % 8; steps; steps--)
		step(simulation);
	for (int i = 0; i < THREADS; i++) {
		struct scaler_thread copy = simulation->threads[i];

		simulation->now_ns++;
		if (!copy.end_ns)
			scaler_thread_finish(&copy, &simulation->window, simulation->now_ns);
		cr_assert_eq(profile_add_thread(reading, &copy), 0);
	}
	reading->window.end_ns = simulation->now_ns;
}

struct sums {
	uint64_t life_ns;
	uint64_t time_ns[SCALER_STATE_COUNT];
	uint64_t calls;
	uint64_t partial;
	uint64_t total_ns;
	uint64_t runnable_ns;
	uint64_t blocked_ns;
	uint64_t longest_ns;
	uint64_t delays;
	uint64_t longest_delay_ns;
};

static void sum_up(const struct profile *interval, struct sums *sums)
{
	for (size_t i = 0; i < interval->thread_count; i++) {
		const struct scaler_thread *thread = &interval->threads[i];
		uint64_t life_ns = thread->since_ns - thread->start_ns, states_ns = 0, delay_ns;

		for (int state = 0; state < SCALER_STATE_COUNT; state++) {
			states_ns += thread->time_ns[state];
			sums->time_ns[state] += thread->time_ns[state];
		}
		cr_assert_eq(states_ns, life_ns);
		sums->life_ns += life_ns;
		sums->delays += thread->delays;
		delay_ns = scaler_thread_longest_delay(thread, interval->window.reading).duration_ns;
		sums->longest_delay_ns = max(sums->longest_delay_ns, delay_ns);
	}
	for (size_t i = 0; i < interval->call_count; i++) {
		const struct scaler_call_stats *stats = &interval->calls[i].stats;
		uint64_t in_buckets = 0;

		for (int bucket = 0; bucket < SCALER_BUCKETS; bucket++)
			in_buckets += stats->buckets[bucket];
		cr_assert_eq(in_buckets, stats->count);
		sums->calls += stats->count;
		sums->partial += stats->partial.count;
		sums->total_ns += stats->total_ns + stats->partial.total_ns;
		sums->runnable_ns += stats->runnable_ns + stats->partial.runnable_ns;
		sums->blocked_ns += stats->blocked_ns + stats->partial.blocked_ns;
		sums->longest_ns = max(sums->longest_ns, stats->max_ns);
	}
}

/* Adds the interval since the last reading to the sums, and to another one; the reading becomes the last one. */
static void next_interval(struct simulation *simulation, struct profile *last, struct sums *sums,
			  struct interval_sum *other)
{
	struct profile reading = { 0 }, interval = { 0 };

	read_all(simulation, &reading);
	cr_assert_eq(interval_between(last, &reading, &interval), 0);
	cr_assert_eq(interval.recording_start_ns, START_NS);
	sum_up(&interval, sums);
	if (other)
		cr_assert_eq(interval_sum_add(other, &interval), 0);
	profile_clear(&interval);
	profile_clear(last);
	*last = reading;
}

static void expect_equal_sums(const struct sums *a, const struct sums *b)
{
	cr_expect_eq(a->life_ns, b->life_ns);
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		cr_expect_eq(a->time_ns[state], b->time_ns[state], "state %d", state);
	cr_expect_eq(a->calls, b->calls);
	cr_expect_eq(a->total_ns, b->total_ns, "total %lu %lu", a->total_ns, b->total_ns);
	cr_expect_eq(a->runnable_ns, b->runnable_ns);
	cr_expect_eq(a->blocked_ns, b->blocked_ns);
	cr_expect_eq(a->delays, b->delays);
	cr_expect_eq(a->longest_ns, b->longest_ns, "longest %lu %lu", a->longest_ns, b->longest_ns);
}

/* Some of them within a call; none at the moment of the last reading, which would have no interval for its end. */
static void end_threads(struct simulation *simulation)
{
	simulation->now_ns++;
	for (int i = 0; i < THREADS; i++) {
		note_delay(simulation, &simulation->threads[i]);
		scaler_thread_finish(&simulation->threads[i], &simulation->window, simulation->now_ns);
		simulation->threads[i].end_ns = simulation->now_ns;
	}
}

/* The whole as one interval, that no other is made of. */
static void expect_one_interval(struct simulation *simulation, const struct sums *all)
{
	struct profile reading = { 0 }, interval = { 0 };
	struct sums sums = { 0 };

	read_all(simulation, &reading);
	cr_assert_eq(interval_of_all(&reading, &interval), 0);
	cr_expect_eq(reading.thread_count, 0);
	cr_expect_eq(interval.recording_start_ns, START_NS);
	sum_up(&interval, &sums);
	expect_equal_sums(&sums, all);
	cr_expect_eq(sums.partial, all->partial);
	profile_clear(&interval);
	profile_clear(&reading);
}

Test(interval, intervals_add_up_to_the_whole)
{
	srand(2);
	for (int round = 0; round < 100; round++) {
		struct simulation simulation = { .window = { .start_ns = START_NS, .end_ns = ~0ULL },
						 .now_ns = START_NS };
		struct profile last = { 0 }, none = { 0 };
		struct sums pieces = { 0 }, all = { 0 }, summed = { 0 };
		struct interval_sum sum = { 0 };

		for (int i = 0; i < THREADS; i++)
			simulation.threads[i] = (struct scaler_thread){
				.serial = (uint32_t)i,
				.start_ns = START_NS,
				.since_ns = START_NS,
			};
		for (int reading = 0; reading < READINGS; reading++) {
			for (int steps = rand() % 20; steps; steps--)
				step(&simulation);
			next_interval(&simulation, &last, &pieces, &sum);
		}
		end_threads(&simulation);
		next_interval(&simulation, &last, &pieces, &sum);
		next_interval(&simulation, &none, &all, NULL);
		expect_equal_sums(&pieces, &all);
		expect_one_interval(&simulation, &all);
		sum_up(&sum.profile, &summed);
		expect_equal_sums(&summed, &all);
		/* Those that the end has cut, and not each that a border between two intervals has. */
		cr_expect_eq(summed.partial, all.partial);
		cr_expect_eq(summed.longest_delay_ns, pieces.longest_delay_ns);
		cr_expect_eq(sum.profile.thread_count, THREADS);
		cr_expect_eq(sum.profile.paused_ns, 0);
		interval_sum_clear(&sum);
		cr_expect_eq(pieces.longest_delay_ns, simulation.longest_delay_ns);
		profile_clear(&last);
		profile_clear(&none);
	}
}

/* What neither reading has anew is not there; what has changed is, with the longest of the new calls. */
Test(interval, only_what_has_changed)
{
	struct profile before = { 0 }, after = { 0 }, interval = { 0 };
	struct scaler_call_stats *stats;

	synthetic_reading(&before);
	synthetic_reading(&after);
	stats = &after.calls[0].stats;
	stats->count += 2;
	stats->total_ns += 3000;
	stats->buckets[scaler_bucket(1000)]++;
	stats->buckets[scaler_bucket(2000)]++;
	after.threads[1].since_ns += 500;
	after.threads[1].time_ns[SCALER_BLOCKED] += 501;
	after.threads[1].time_ns[SCALER_RUNNABLE] -= 1; /* a wakeup seen late */
	after.losses[SCALER_LOSS_CALL_MAP]++;
	cr_assert_eq(interval_between(&before, &after, &interval), 0);
	cr_assert_eq(interval.thread_count, 1);
	cr_expect_eq(interval.threads[0].serial, 2);
	cr_expect_eq(interval.threads[0].time_ns[SCALER_RUNNABLE], 0);
	cr_expect_eq(interval.threads[0].time_ns[SCALER_BLOCKED], 500);
	cr_assert_eq(interval.call_count, 2);
	stats = &interval.calls[0].stats;
	cr_expect_eq(stats->count, 2);
	cr_expect_eq(stats->total_ns, 3000);
	cr_expect_eq(stats->max_start_ns, 0);
	cr_expect(stats->max_ns >= 2000 && stats->max_ns < 2120, "%llu", stats->max_ns);
	/* The call that thread 2 was in all the time has taken nothing more: its copy was not moved on. */
	cr_expect_eq(interval.calls[1].key.task, 2);
	cr_expect_eq(interval.calls[1].stats.partial.count, 1);
	cr_expect_eq(interval.error_count, 0);
	cr_expect_eq(interval.component_count, 4);
	cr_expect_eq(interval.losses[SCALER_LOSS_CALL_MAP], 1);
	profile_clear(&before);
	profile_clear(&after);
	profile_clear(&interval);
}

/* A sum of intervals that lie apart has nothing of what lies between them. */
Test(interval, sum_with_pauses)
{
	struct profile first = { .window = { 100, 200, 3, 0 }, .recording_start_ns = 100, .losses = { 1 } };
	struct profile second = { .window = { 500, 700, 5, 0 }, .recording_start_ns = 100, .losses = { 2 } };
	const struct scaler_thread before = { .serial = 7,
					      .start_ns = 100,
					      .since_ns = 200,
					      .time_ns = { 60, 40, 0 },
					      .delays = 2,
					      .delay_reading = 4,
					      .longest_before = { 110, 30 } };
	const struct scaler_thread after = { .serial = 7,
					     .start_ns = 500,
					     .since_ns = 700,
					     .time_ns = { 0, 0, 200 },
					     .delay_reading = 1,
					     .longest_delay = { 90, 99 } };
	const struct scaler_call_key key = { .task = 7 };
	const struct scaler_call_stats cut = { .partial = { 1, 50, 0, 0 } },
				       whole = { .count = 1, .total_ns = 9 };
	const struct profile_open_call open = { .key = key, .figures = cut.partial };
	struct interval_sum sum = { 0 };

	cr_assert_eq(profile_add_thread(&first, &before), 0);
	cr_assert_eq(profile_add_thread(&second, &after), 0);
	cr_assert_eq(profile_add_call(&first, &key, &cut), 0);
	cr_assert_eq(profile_add_open_call(&first, &open), 0);
	cr_assert_eq(profile_add_call(&second, &key, &whole), 0);
	cr_expect(interval_sum_is_empty(&sum));
	cr_assert_eq(interval_sum_add(&sum, &first), 0);
	interval_sum_end_run(&sum);
	cr_assert_eq(interval_sum_add(&sum, &second), 0);
	cr_expect_eq(sum.profile.window.start_ns, 100);
	cr_expect_eq(sum.profile.window.end_ns, 700);
	cr_expect_eq(sum.profile.paused_ns, 300);
	cr_expect_eq(sum.profile.losses[0], 3);
	cr_assert_eq(sum.profile.thread_count, 1);
	cr_expect_eq(sum.profile.threads[0].since_ns - sum.profile.threads[0].start_ns, 300);
	cr_expect_eq(sum.profile.threads[0].time_ns[SCALER_BLOCKED], 200);
	cr_expect_eq(sum.profile.threads[0].delays, 2);
	cr_expect_eq(
		scaler_thread_longest_delay(&sum.profile.threads[0], sum.profile.window.reading).duration_ns,
		30);
	cr_assert_eq(sum.profile.call_count, 1);
	cr_expect_eq(sum.profile.calls[0].stats.count, 1);
	cr_expect_eq(sum.profile.calls[0].stats.partial.count, 1);
	interval_sum_clear(&sum);
	profile_clear(&first);
	profile_clear(&second);
}

/* Waits are cut where a run is, and nowhere else. */
Test(interval, waits_of_a_sum)
{
	static const struct {
		uint64_t start_ns, woken_ns, end_ns;
		int of; /* which interval has it */
	} waits[] = {
		{ 50, 120, 130, 0 },                        /* began before */
		{ 150, 0, 0, 0 },                           /* goes on */
		{ 150, 250, 260, 1 }, { 270, 0, 0, 1 },     /* is cut */
		{ 270, 520, 530, 2 }, { 300, 350, 360, 2 }, /* was told late */
	};
	static const struct {
		uint64_t start_ns, end_ns;
		uint32_t flags;
	} expected[] = {
		{ 100, 130, SCALER_BLOCKING_FOUND },
		{ 150, 260, 0 },
		{ 270, 300, SCALER_BLOCKING_FOUND },
		{ 500, 530, SCALER_BLOCKING_FOUND },
	};
	struct profile intervals[] = {
		{ .window = { .start_ns = 100, .end_ns = 200 } },
		{ .window = { .start_ns = 200, .end_ns = 300 } },
		{ .window = { .start_ns = 500, .end_ns = 600 } },
	};
	struct interval_sum sum = { 0 };

	for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		const struct scaler_blocking_interval wait = { .start_ns = waits[i].start_ns,
							       .woken_ns = waits[i].woken_ns,
							       .end_ns = waits[i].end_ns };

		cr_assert_eq(blocking_intervals_add(&intervals[waits[i].of].blocking, &wait, NULL), 0);
	}
	for (int i = 0; i < 3; i++) {
		if (i == 2)
			interval_sum_end_run(&sum);
		cr_assert_eq(interval_sum_add(&sum, &intervals[i]), 0);
		profile_clear(&intervals[i]);
	}
	cr_assert_eq(sum.profile.blocking.count, 4);
	for (int i = 0; i < 4; i++) {
		const struct scaler_blocking_interval *wait = &sum.profile.blocking.items[i];

		cr_expect_eq(wait->start_ns, expected[i].start_ns, "%d", i);
		cr_expect_eq(wait->end_ns, expected[i].end_ns, "%d", i);
		cr_expect_eq(wait->flags, expected[i].flags, "%d", i);
	}
	interval_sum_clear(&sum);
}
