// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains: known ones, and laws that hold for all, on schedules that thousands of seeds make up. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/blocking_report.h"
#include "analysis/chain_tree.h"
#include "schedule.h"

#define MS    1000000ULL
#define SEEDS 3000

static const char name[SCALER_COMM_SIZE] = "task", worker[SCALER_COMM_SIZE] = "worker";

struct list {
	struct chain_segment items[4096];
	size_t count;
};

static int append(void *data, const struct chain_segment *segment)
{
	struct list *list = data;

	cr_assert_lt(list->count, sizeof(list->items) / sizeof(list->items[0]));
	list->items[list->count++] = *segment;
	return 0;
}

static void explain(const struct wait_history *history, uint32_t task, const struct off_cpu *wait,
		    uint64_t from_ns, uint64_t to_ns, struct list *list)
{
	const struct chain_visitor visitor = { .visit = append, .data = list };

	list->count = 0;
	cr_assert_eq(wait_chain_explain(history, task, wait, from_ns, to_ns, 1, &visitor), 0);
}

/* In ms; woken by another task, or by a timer if that is 0. */
static void add_wait(struct wait_history *history, uint32_t task, uint64_t start, uint64_t woken,
		     uint64_t end, uint32_t waker)
{
	struct scaler_blocking_interval interval = {
		.where = { .task = task, .site = task },
		.start_ns = start * MS,
		.woken_ns = woken * MS,
		.end_ns = end * MS,
		.waker = { .context = waker ? SCALER_WAKER_TASK : SCALER_WAKER_HARDIRQ,
			   .is_timer = !waker,
			   .where = { .task = waker, .site = 100 + waker } },
	};

	cr_assert(wait_history_add(history, &interval, NULL));
}

static void expect(const struct list *list, size_t index, enum chain_kind kind, uint32_t task, uint32_t depth,
		   uint64_t from, uint64_t to)
{
	const struct chain_segment *segment = &list->items[index];

	cr_assert_lt(index, list->count);
	cr_expect_eq(segment->kind, kind, "%zu: kind %d", index, segment->kind);
	cr_expect_eq(segment->task, task, "%zu: task %u", index, segment->task);
	cr_expect_eq(segment->depth, depth, "%zu: depth %u", index, segment->depth);
	cr_expect_eq(segment->from_ns, from * MS, "%zu: from %lu", index, segment->from_ns);
	cr_expect_eq(segment->to_ns, to * MS, "%zu: to %lu", index, segment->to_ns);
}

/* A waits for B, which waits for C, which sleeps for 50 ms. */
Test(chains, three_threads)
{
	struct wait_history history = { 0 };
	struct list list;

	cr_assert_eq(wait_history_add_thread(&history, 3, name, 1), 0);
	add_wait(&history, 3, 10, 60, 61, 0);
	add_wait(&history, 2, 5, 62, 64, 3);
	add_wait(&history, 1, 6, 65, 66, 2);
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 6 * MS, 65 * MS, &list);
	cr_assert_eq(list.count, 8);
	expect(&list, 0, CHAIN_RUNNING, 2, 1, 64, 65);
	expect(&list, 1, CHAIN_RUNNABLE, 2, 1, 62, 64);
	expect(&list, 2, CHAIN_WAIT, 2, 1, 6, 62);
	expect(&list, 3, CHAIN_RUNNING, 3, 2, 61, 62);
	expect(&list, 4, CHAIN_RUNNABLE, 3, 2, 60, 61);
	expect(&list, 5, CHAIN_WAIT, 3, 2, 10, 60);
	expect(&list, 6, CHAIN_TIMER, 3, 3, 10, 60);
	expect(&list, 7, CHAIN_RUNNING, 3, 2, 6, 10);
	/* The places: what B was at when it woke A, what C was at when it blocked. */
	cr_expect_eq(wait_shape_get(&history.shapes, list.items[0].shape)->key.site, 102);
	cr_expect_eq(wait_shape_get(&history.shapes, list.items[7].shape)->key.site, 3);
	wait_history_clear(&history);
}

/* Queued at 40 ms by B, which had slept until then: if the thread is traced that does it, that is followed. */
Test(chains, workqueue)
{
	struct scaler_blocking_interval interval = {
		.where = { .task = 1 },
		.start_ns = 10 * MS,
		.woken_ns = 50 * MS,
		.end_ns = 51 * MS,
		.waker = { .context = SCALER_WAKER_WORKQUEUE,
			   .queued_in = SCALER_WAKER_TASK,
			   .sent_ns = 40 * MS,
			   .where = { .task = 2, .kernel = 7 } },
	};
	struct wait_history history = { 0 };
	struct list list;

	add_wait(&history, 2, 5, 38, 39, 0);
	cr_assert(wait_history_add(&history, &interval, NULL));
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	cr_assert_eq(list.count, 5);
	expect(&list, 0, CHAIN_WORK, 1, 1, 40, 50);
	expect(&list, 1, CHAIN_RUNNING, 2, 1, 39, 40);
	expect(&list, 4, CHAIN_TIMER, 2, 2, 10, 38);
	wait_history_clear(&history);

	cr_assert_eq(wait_history_add_thread(&history, 3, worker, 1), 0);
	add_wait(&history, 2, 5, 38, 39, 0);
	add_wait(&history, 3, 5, 40, 41, 2);
	interval.waker.worker = 3;
	cr_assert(wait_history_add(&history, &interval, NULL));
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	cr_assert_eq(list.count, 7);
	expect(&list, 0, CHAIN_RUNNING, 3, 1, 41, 50);
	expect(&list, 1, CHAIN_RUNNABLE, 3, 1, 40, 41);
	expect(&list, 3, CHAIN_RUNNING, 2, 2, 39, 40);
	cr_expect_str_eq(wait_shape_get(&history.shapes, list.items[0].shape)->key.comm, "worker");
	cr_expect_eq(wait_shape_get(&history.shapes, list.items[0].shape)->key.kernel, 7);
	wait_history_clear(&history);
}

/* What nobody has recorded is said to be so. */
Test(chains, truncated)
{
	struct wait_history history = { 0 };
	struct list list;

	add_wait(&history, 1, 10, 50, 51, 2);
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	cr_assert_eq(list.count, 1);
	expect(&list, 0, CHAIN_TRUNCATED, 2, 1, 10, 50);
	/* From the thread's first interval on it is known. */
	add_wait(&history, 2, 20, 30, 40, 0);
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	cr_assert_eq(list.count, 5);
	expect(&list, 0, CHAIN_RUNNING, 2, 1, 40, 50);
	expect(&list, 4, CHAIN_TRUNCATED, 2, 1, 10, 20);
	cr_assert_eq(wait_history_add_thread(&history, 2, name, 15 * MS), 0);
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	cr_assert_eq(list.count, 6);
	expect(&list, 4, CHAIN_RUNNING, 2, 1, 15, 20);
	expect(&list, 5, CHAIN_TRUNCATED, 2, 1, 10, 15);
	wait_history_clear(&history);
}

/* Two that have woken each other at one time, which cannot be: it ends, and all of the time is there. */
Test(chains, circle)
{
	struct wait_history history = { 0 };
	struct list list;
	uint64_t leaves_ns = 0;

	add_wait(&history, 1, 10, 50, 50, 2);
	add_wait(&history, 2, 10, 50, 50, 1);
	explain(&history, 1, &wait_history_find(&history, 1)->items[0], 10 * MS, 50 * MS, &list);
	for (size_t i = 0; i < list.count; i++) {
		if (!chain_kind_is_explained(list.items[i].kind))
			leaves_ns += list.items[i].to_ns - list.items[i].from_ns;
	}
	cr_expect_eq(leaves_ns, 40 * MS);
	cr_expect_eq(list.items[list.count - 1].kind, CHAIN_TRUNCATED);
	wait_history_clear(&history);
}

/* The leaf that has the moment, of which there must be one. */
static struct schedule_cause find_leaf(const struct list *list, uint64_t at_ns)
{
	struct schedule_cause cause = { 0 };

	for (size_t i = 0; i < list->count; i++) {
		const struct chain_segment *segment = &list->items[i];

		if (chain_kind_is_explained(segment->kind) || at_ns < segment->from_ns ||
		    at_ns >= segment->to_ns)
			continue;
		cr_assert(!cause.depth, "%lu is there twice", at_ns);
		cause = (struct schedule_cause){ segment->task, segment->depth, segment->kind };
	}
	return cause;
}

static void check_wait(const struct blocking_intervals *intervals, const struct wait_history *history,
		       const struct scaler_blocking_interval *interval, unsigned int seed)
{
	const struct history_thread *thread = wait_history_find(history, interval->where.task);
	uint64_t to_ns = interval->woken_ns ?: interval->end_ns ?: SCHEDULE_END;
	struct list list;

	for (size_t i = 0; i < thread->count; i++) {
		if (thread->items[i].start_ns == interval->start_ns)
			explain(history, interval->where.task, &thread->items[i], interval->start_ns, to_ns,
				&list);
	}
	for (uint64_t at_ns = interval->start_ns; at_ns < to_ns; at_ns++) {
		struct schedule_cause found = find_leaf(&list, at_ns);
		struct schedule_cause expected = schedule_cause_of_wait(intervals, interval, at_ns, 1);

		cr_assert(found.kind == expected.kind && found.task == expected.task &&
				  found.depth == expected.depth,
			  "seed %u, task %u, wait from %lu, at %lu: %d of %u at %u, not %d of %u at %u", seed,
			  interval->where.task, interval->start_ns, at_ns, found.kind, found.task,
			  found.depth, expected.kind, expected.task, expected.depth);
	}
}

Test(chains, each_moment_has_one_cause)
{
	for (unsigned int seed = 1; seed <= SEEDS; seed++) {
		struct blocking_intervals intervals = { 0 };
		struct wait_history history = { 0 };

		schedule_make(seed, &intervals);
		schedule_history(&intervals, &history);
		for (size_t i = 0; i < intervals.count; i++)
			check_wait(&intervals, &history, &intervals.items[i], seed);
		blocking_intervals_clear(&intervals);
		wait_history_clear(&history);
	}
}

static void build_tree(const struct blocking_intervals *intervals, struct wait_history *history,
		       struct chain_tree *tree)
{
	schedule_history(intervals, history);
	for (uint32_t task = 1; task <= SCHEDULE_TASKS; task++) {
		const struct history_thread *thread = wait_history_find(history, task);

		for (size_t i = 0; i < thread->count; i++) {
			const struct off_cpu *wait = &thread->items[i];
			uint64_t to_ns = wait->woken_ns < SCHEDULE_END ? wait->woken_ns : SCHEDULE_END;

			cr_assert_eq(chain_tree_add(tree, history, task, wait, wait->start_ns, to_ns), 0);
		}
	}
}

/* What explains a wait adds up to it, of one as of all of its shape. */
static void check_sums(const struct chain_tree *tree, unsigned int seed)
{
	const struct chain_node *nodes = chain_tree_nodes(tree);
	uint64_t *left_ns = calloc(tree->nodes.count, sizeof(*left_ns));

	for (size_t i = 0; i < tree->nodes.count; i++) {
		left_ns[i] = chain_kind_is_explained(nodes[i].key.kind) ? nodes[i].total_ns : 0;
		cr_assert_leq(nodes[i].longest_ns, nodes[i].total_ns);
		if (nodes[i].key.parent == CHAIN_NODE_NONE)
			continue;
		cr_assert_lt(nodes[i].key.parent, i);
		left_ns[nodes[i].key.parent] -= nodes[i].total_ns;
	}
	for (size_t i = 0; i < tree->nodes.count; i++)
		cr_assert_eq(left_ns[i], 0, "seed %u, node %zu: %lu", seed, i, left_ns[i]);
	free(left_ns);
}

/* All that does not depend on the numbers of shapes and nodes. */
static uint64_t digest(const struct wait_history *history, const struct chain_tree *tree)
{
	const struct chain_node *nodes = chain_tree_nodes(tree);
	uint64_t *hashes = calloc(tree->nodes.count, sizeof(*hashes)), sum = 0;

	for (size_t i = 0; i < tree->nodes.count; i++) {
		const struct wait_shape_key *shape =
			&wait_shape_get(&history->shapes, nodes[i].key.shape)->key;
		uint64_t hash = nodes[i].key.parent == CHAIN_NODE_NONE ? 1 : hashes[nodes[i].key.parent];

		hash = (hash * 31 + shape->site) * 31 + (uint64_t)shape->comm[4];
		hash = (hash * 31 + shape->vector) * 31 + shape->context;
		hashes[i] = hash * 31 + nodes[i].key.kind;
		sum += hashes[i] *
		       (nodes[i].total_ns + 1000 * nodes[i].longest_ns + 1000000 * nodes[i].count);
	}
	free(hashes);
	for (size_t i = 0; i < tree->example_count; i++) {
		const struct chain_example *example = &tree->examples[i];

		sum += (example->whole.from_ns * 1000 + example->whole.to_ns * 10 + example->whole.task) *
		       example->count;
	}
	return sum;
}

Test(chains, sums_and_order)
{
	for (unsigned int seed = 1; seed <= SEEDS; seed++) {
		struct blocking_intervals intervals = { 0 };
		struct wait_history history = { 0 }, shuffled = { 0 };
		struct chain_tree tree = { 0 }, other = { 0 };

		schedule_make(seed, &intervals);
		build_tree(&intervals, &history, &tree);
		check_sums(&tree, seed);
		schedule_shuffle(seed, &intervals);
		build_tree(&intervals, &shuffled, &other);
		cr_assert_eq(digest(&history, &tree), digest(&shuffled, &other), "seed %u", seed);
		chain_tree_clear(&tree);
		chain_tree_clear(&other);
		wait_history_clear(&history);
		wait_history_clear(&shuffled);
		blocking_intervals_clear(&intervals);
	}
}

/* A thousand waits alike are one node, and what explained each of them is summed below it. */
Test(chains, merging)
{
	struct wait_history history = { 0 };
	struct chain_tree tree = { 0 };
	const struct chain_node *nodes;

	cr_assert_eq(wait_history_add_thread(&history, 2, name, 1), 0);
	for (uint64_t i = 0; i < 1000; i++) {
		add_wait(&history, 2, 100 * i + 10, 100 * i + 60, 100 * i + 60, 0);
		add_wait(&history, 1, 100 * i + 20, 100 * i + 70 + i % 10, 100 * i + 80, 2);
	}
	for (size_t i = 0; i < 1000; i++) {
		const struct off_cpu *wait = &wait_history_find(&history, 1)->items[i];

		cr_assert_eq(chain_tree_add(&tree, &history, 1, wait, wait->start_ns, wait->woken_ns), 0);
	}
	nodes = chain_tree_nodes(&tree);
	cr_assert_eq(tree.nodes.count, 4);
	cr_expect_eq(nodes[0].count, 1000);
	cr_expect_eq(nodes[0].total_ns, 54500 * MS);
	cr_expect_eq(nodes[0].longest_ns, 59 * MS);
	cr_expect_eq(nodes[1].key.kind, CHAIN_RUNNING);
	cr_expect_eq(nodes[1].total_ns, 14500 * MS);
	cr_expect_eq(nodes[2].key.kind, CHAIN_WAIT);
	cr_expect_eq(nodes[2].total_ns, 40000 * MS);
	cr_expect_eq(nodes[3].key.parent, 2);
	cr_expect_eq(nodes[3].key.kind, CHAIN_TIMER);
	cr_expect_eq(nodes[3].total_ns, 40000 * MS);
	/* The first of those that took the longest. */
	cr_assert_eq(tree.example_count, 1);
	cr_expect_eq(tree.examples[0].whole.from_ns, 920 * MS);
	cr_expect_eq(tree.examples[0].whole.to_ns, 979 * MS);
	cr_expect_eq(tree.examples[0].count, 3);
	chain_tree_clear(&tree);
	wait_history_clear(&history);
}
