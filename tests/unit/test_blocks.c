// SPDX-License-Identifier: GPL-2.0-only
/* What explains waits, summed up by blocks: exactly what a walk through all of it sums up to. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/chain_blocks.h"
#include "schedule.h"

#define SEEDS 200
#define WAITS 40 /* of each schedule */
#define END   10000
#define LONE  (SCHEDULE_TASKS + 1) /* a thread of which no more is known than that it waits */

/* The walk, without blocks. */
struct plain {
	struct distinct nodes;
	uint64_t segments;
	uint32_t waits[CHAIN_DEPTH_LIMIT + 1];
	uint32_t deepest;
};

static int add_segment(void *data, const struct chain_segment *segment)
{
	struct plain *plain = data;

	plain->waits[segment->depth] =
		chain_nodes_add(&plain->nodes, plain->waits[segment->depth - 1], segment);
	cr_assert_neq(plain->waits[segment->depth], CHAIN_NODE_NONE);
	plain->segments++;
	if (segment->depth > plain->deepest)
		plain->deepest = segment->depth;
	return 0;
}

static void expect_same(const struct distinct *nodes, const struct distinct *plain, unsigned int seed)
{
	cr_assert_eq(nodes->count, plain->count, "seed %u: %zu nodes, not %zu", seed, nodes->count,
		     plain->count);
	for (uint32_t i = 0; i < nodes->count; i++) {
		const struct chain_node *a = chain_nodes_get(nodes, i), *b = chain_nodes_get(plain, i);

		cr_assert(a->key.parent == b->key.parent && a->key.shape == b->key.shape &&
				  a->key.kind == b->key.kind,
			  "seed %u: node %u", seed, i);
		cr_assert(a->count == b->count && a->total_ns == b->total_ns &&
				  a->longest_ns == b->longest_ns,
			  "seed %u: node %u: %lu times, %lu ns, not %lu times, %lu ns", seed, i, a->count,
			  a->total_ns, b->count, b->total_ns);
	}
}

/* All zero at first. */
struct comparison {
	struct wait_history history;
	struct chain_blocks blocks;
	struct distinct nodes;
	struct plain plain;
	uint64_t segments;
};

/* One that waits for the thread between these times. */
static void add_wait(struct comparison *comparison, uint32_t waker, uint64_t from_ns, uint64_t to_ns)
{
	const struct off_cpu wait = { .waker = waker, .cause = WAIT_CAUSE_TASK };
	const struct chain_visitor visitor = { .visit = add_segment, .data = &comparison->plain };
	uint64_t segments = 0;

	comparison->plain.waits[0] = CHAIN_NODE_NONE;
	cr_assert_eq(wait_chain_explain(&comparison->history, LONE, &wait, from_ns, to_ns, 1, &visitor), 0);
	cr_assert_eq(chain_blocks_explain(&comparison->blocks, &comparison->history, LONE, &wait, from_ns,
					  to_ns, &comparison->nodes, CHAIN_NODE_NONE, &segments),
		     0);
	comparison->segments += segments;
}

/* Ends it. Returns how deep the deepest is. */
static uint32_t compare(struct comparison *comparison, unsigned int seed)
{
	uint32_t deepest = comparison->plain.deepest;

	cr_assert_eq(comparison->segments, comparison->plain.segments, "seed %u: %lu segments, not %lu", seed,
		     comparison->segments, comparison->plain.segments);
	expect_same(&comparison->nodes, &comparison->plain.nodes, seed);
	distinct_clear(&comparison->nodes);
	distinct_clear(&comparison->plain.nodes);
	chain_blocks_clear(&comparison->blocks);
	wait_history_clear(&comparison->history);
	*comparison = (struct comparison){ 0 };
	return deepest;
}

static size_t count_made(const struct chain_blocks *blocks, size_t level)
{
	size_t made = 0;

	for (size_t i = 0; i < blocks->thread_count; i++) {
		const struct thread_blocks *thread = &blocks->threads[i];

		for (size_t block = 0; block < thread->counts[level]; block++)
			made += thread->levels[level][block].nodes != NULL;
	}
	return made;
}

/* Waits for any thread from any time to any other. */
Test(blocks, sum_up_what_a_walk_does)
{
	size_t made[2] = { 0 };

	for (unsigned int seed = 1; seed <= SEEDS; seed++) {
		struct blocking_intervals intervals = { 0 };
		struct comparison comparison = { 0 };
		unsigned int random = seed;

		schedule_make_until(seed, END, &intervals);
		schedule_history(&intervals, &comparison.history);
		for (size_t i = 0; i < WAITS; i++) {
			uint64_t from_ns = 1 + (uint64_t)rand_r(&random) % END;
			uint64_t to_ns = from_ns + 1 + (uint64_t)rand_r(&random) % (END - from_ns + 1);

			add_wait(&comparison, 1 + (uint32_t)rand_r(&random) % SCHEDULE_TASKS, from_ns, to_ns);
		}
		made[0] += count_made(&comparison.blocks, 0);
		made[1] += count_made(&comparison.blocks, 1);
		compare(&comparison, seed);
		blocking_intervals_clear(&intervals);
	}
	cr_expect_gt(made[0], SEEDS * SCHEDULE_TASKS, "%zu", made[0]);
	cr_expect_gt(made[1], SEEDS, "%zu", made[1]);
}

static void add_off_cpu(struct wait_history *history, uint32_t task, uint64_t start_ns, uint64_t woken_ns,
			uint32_t waker)
{
	struct scaler_blocking_interval interval = {
		.where = { .task = task, .site = task },
		.start_ns = start_ns,
		.woken_ns = woken_ns,
		.end_ns = woken_ns,
		.waker = { .context = SCALER_WAKER_HARDIRQ, .is_timer = 1 },
	};

	if (waker)
		interval.waker =
			(struct scaler_waker){ .context = SCALER_WAKER_TASK, .where = { .task = waker } };
	cr_assert(wait_history_add(history, &interval, NULL));
}

#define DEEP 80

/* Each waits for the next, and sleeps four times before and eight times after that. */
static void make_deep(struct wait_history *history)
{
	for (uint32_t task = 1; task <= DEEP; task++) {
		uint64_t from_ns = 100 * task, to_ns = 100000 - 100 * task;

		cr_assert_eq(wait_history_add_thread(history, task, (char[SCALER_COMM_SIZE]){ "deep" }, 1),
			     0);
		for (uint64_t i = 0; i < 4; i++)
			add_off_cpu(history, task, from_ns - 50 + 10 * i, from_ns - 45 + 10 * i, 0);
		add_off_cpu(history, task, from_ns, to_ns, task < DEEP ? task + 1 : 0);
		for (uint64_t i = 0; i < 8; i++)
			add_off_cpu(history, task, to_ns + 10 + 10 * i, to_ns + 15 + 10 * i, 0);
	}
}

/* A walk ends at some depth, wherever it began: what was cut off there is not taken for what is nearer, nor the whole for it. */
Test(blocks, depth)
{
	static const uint32_t first[] = { 1, 40, 10, 79, 60, 30, 17, 16, 15, 1 };
	struct comparison comparison = { 0 };

	make_deep(&comparison.history);
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		add_wait(&comparison, first[i], 1, 100000);
	cr_expect_gt(count_made(&comparison.blocks, 0), DEEP - CHAIN_DEPTH_LIMIT);
	cr_expect_eq(compare(&comparison, 0), CHAIN_DEPTH_LIMIT);
}

/* Of a thread's history that has changed no block is used that was made before. */
Test(blocks, changes)
{
	struct comparison comparison = { 0 };

	for (uint64_t i = 0; i < 100; i++)
		add_off_cpu(&comparison.history, 1, 100 * i + 10, 100 * i + 60, 0);
	add_wait(&comparison, 1, 1, 10000);
	cr_expect_eq(count_made(&comparison.blocks, 0), 12);
	add_off_cpu(&comparison.history, 1, 5080, 5090, 0);
	add_wait(&comparison, 1, 1, 10000);
	wait_history_forget(&comparison.history, 7000);
	add_wait(&comparison, 1, 1, 10000);
	cr_expect_eq(count_made(&comparison.blocks, 0), 3);
	compare(&comparison, 0);
}
