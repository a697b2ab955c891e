// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains made part by part: as those made at once, and of a history that ends, truncated. */
#include <criterion/criterion.h>
#include <string.h>

#include "analysis/chain_builder.h"
#include "schedule.h"

#define MS    1000000ULL
#define SEEDS 2000
#define START 1 /* of the recording: a time of 0 would say that none is known */

/* As a reading tells it: what of the intervals ended between these times, with some that were told before. */
static void make_part(const struct blocking_intervals *intervals, uint64_t from_ns, uint64_t to_ns,
		      uint64_t repeat_ns, struct profile *part)
{
	*part = (struct profile){ .window = { .start_ns = START, .end_ns = to_ns },
				  .recording_start_ns = START };
	for (size_t i = 0; i < intervals->count; i++) {
		uint64_t end_ns = intervals->items[i].end_ns ?: SCHEDULE_END;

		if (end_ns + repeat_ns >= from_ns && end_ns < to_ns)
			cr_assert_eq(blocking_intervals_add(&part->blocking, &intervals->items[i], NULL), 0);
	}
	for (uint32_t task = 1; task <= SCHEDULE_TASKS; task++) {
		struct scaler_thread thread = { .serial = task, .start_ns = schedule_known_since(task) };

		if (thread.start_ns)
			cr_assert_eq(profile_add_thread(part, &thread), 0);
	}
}

static void add_part(struct chain_builder *builder, struct profile *part, uint64_t until_ns)
{
	cr_assert_eq(chain_builder_add(builder, part), 0);
	cr_assert_eq(chain_builder_explain(builder, &part->window, until_ns), 0);
	profile_clear(part);
}

static void add_at_once(struct chain_builder *builder, const struct blocking_intervals *intervals)
{
	struct profile all;

	make_part(intervals, 0, SCHEDULE_END + 50, 0, &all);
	add_part(builder, &all, UINT64_MAX);
}

/* Each part 50 ns, with what is explained 20 ns behind what is told. */
static void add_in_parts(struct chain_builder *builder, const struct blocking_intervals *intervals)
{
	struct profile part;

	for (uint64_t ns = 0; ns <= SCHEDULE_END; ns += 50) {
		make_part(intervals, ns, ns + 50, 10, &part);
		part.window.end_ns = SCHEDULE_END + 50;
		add_part(builder, &part, ns > SCHEDULE_END - 50 ? UINT64_MAX : ns + 30);
	}
}

static void expect_same(const struct chain_builder *a, const struct chain_builder *b, unsigned int seed)
{
	const struct chain_node *one = chain_tree_nodes(&a->tree), *other = chain_tree_nodes(&b->tree);
	uint64_t total_ns[2][CHAIN_KINDS] = { 0 }, counts[2][CHAIN_KINDS] = { 0 };

	cr_assert_eq(a->tree.nodes.count, b->tree.nodes.count, "seed %u: %zu nodes, not %zu", seed,
		     b->tree.nodes.count, a->tree.nodes.count);
	for (size_t i = 0; i < a->tree.nodes.count; i++) {
		total_ns[0][one[i].key.kind] += one[i].total_ns;
		total_ns[1][other[i].key.kind] += other[i].total_ns;
		counts[0][one[i].key.kind] += one[i].count;
		counts[1][other[i].key.kind] += other[i].count;
	}
	for (size_t kind = 0; kind < CHAIN_KINDS; kind++) {
		cr_assert_eq(counts[0][kind], counts[1][kind], "seed %u: %lu times %s, not %lu", seed,
			     counts[1][kind], chain_kind_name(kind), counts[0][kind]);
		cr_assert_eq(total_ns[0][kind], total_ns[1][kind], "seed %u: %lu ns %s, not %lu", seed,
			     total_ns[1][kind], chain_kind_name(kind), total_ns[0][kind]);
	}
}

/* That one is lost shows by the next of its thread, which comes in a later part: too late. */
static bool has_losses(const struct blocking_intervals *intervals)
{
	uint32_t counts[SCHEDULE_TASKS + 1] = { 0 }, last[SCHEDULE_TASKS + 1] = { 0 };
	bool has = false;

	for (size_t i = 0; i < intervals->count; i++) {
		counts[intervals->items[i].where.task]++;
		last[intervals->items[i].where.task] = intervals->items[i].number;
	}
	for (uint32_t task = 1; task <= SCHEDULE_TASKS; task++)
		has |= counts[task] != last[task];
	return has;
}

Test(builder, parts_are_as_the_whole)
{
	unsigned int compared = 0;

	for (unsigned int seed = 1; seed <= SEEDS; seed++) {
		struct chain_builder whole = { .explains = true }, parts = { .explains = true };
		struct blocking_intervals intervals = { 0 };

		schedule_make(seed, &intervals);
		add_at_once(&whole, &intervals);
		add_in_parts(&parts, &intervals);
		cr_assert_eq(parts.pending_count, 0);
		if (!has_losses(&intervals)) {
			expect_same(&whole, &parts, seed);
			compared++;
		}
		blocking_intervals_clear(&intervals);
		chain_builder_clear(&whole);
		chain_builder_clear(&parts);
	}
	cr_assert_gt(compared, SEEDS / 4, "%u", compared);
}

/* Sleeps and wakes the other one, again and again. */
static void add_turns(struct profile *part, uint64_t from, uint64_t to)
{
	*part = (struct profile){ .window = { .start_ns = START, .end_ns = to * 100 * MS },
				  .recording_start_ns = START };
	for (uint64_t i = from; i < to; i++) {
		const struct scaler_blocking_interval sleep = {
			.where = { .task = 2, .site = 2 },
			.start_ns = (100 * i + 10) * MS,
			.woken_ns = (100 * i + 60) * MS,
			.end_ns = (100 * i + 60) * MS,
			.number = (uint32_t)i + 1,
			.waker = { .context = SCALER_WAKER_HARDIRQ, .is_timer = 1 },
		};

		cr_assert_eq(blocking_intervals_add(&part->blocking, &sleep, NULL), 0);
	}
}

static void add_long_wait(struct profile *part, uint64_t woken)
{
	const struct scaler_blocking_interval wait = {
		.where = { .task = 1, .site = 1 },
		.start_ns = 5 * MS,
		.woken_ns = woken * MS,
		.end_ns = woken * MS,
		.number = 1,
		.waker = { .context = SCALER_WAKER_TASK, .where = { .task = 2, .site = 3 } },
	};

	cr_assert_eq(blocking_intervals_add(&part->blocking, &wait, NULL), 0);
}

static uint64_t total_of(const struct chain_builder *builder, enum chain_kind kind)
{
	const struct chain_node *nodes = chain_tree_nodes(&builder->tree);
	uint64_t total_ns = 0;

	for (size_t i = 0; i < builder->tree.nodes.count; i++) {
		if (nodes[i].key.kind == kind && nodes[i].key.parent == 0)
			total_ns += nodes[i].total_ns;
	}
	return total_ns;
}

/* Of 10 s that a thread waits for another, the last are explained, and no more is kept than twice what is to be. */
Test(builder, forgets)
{
	static const struct blocking_filter filter = { .least_ns = 1000 * MS };
	struct chain_builder builder = { .explains = true, .history_ns = 2000 * MS, .filter = &filter };
	struct profile part;

	for (uint64_t turn = 0; turn < 100; turn += 10) {
		add_turns(&part, turn, turn + 10);
		if (turn == 90)
			add_long_wait(&part, 9990);
		add_part(&builder, &part, (turn + 10) * 100 * MS);
		chain_builder_forget(&builder, (turn + 10) * 100 * MS);
		cr_assert_leq(builder.history.item_count, 41);
	}
	cr_assert_eq(builder.left_out, 100);
	cr_assert_eq(chain_tree_nodes(&builder.tree)[0].total_ns, 9985 * MS);
	cr_expect_geq(total_of(&builder, CHAIN_WAIT), 20 * 50 * MS);
	cr_expect_leq(total_of(&builder, CHAIN_WAIT), 40 * 50 * MS);
	cr_expect_geq(total_of(&builder, CHAIN_TRUNCATED), 5900 * MS);
	cr_expect_eq(total_of(&builder, CHAIN_TRUNCATED) + total_of(&builder, CHAIN_WAIT) +
			     total_of(&builder, CHAIN_RUNNING),
		     9985 * MS);
	chain_builder_clear(&builder);
}

/* One that is lost where the history begins leaves unknown what was before it. */
Test(builder, loss_behind_what_is_forgotten)
{
	struct chain_builder builder = { .explains = true, .history_ns = 1 };
	struct profile part;

	add_turns(&part, 0, 3);
	add_part(&builder, &part, UINT64_MAX);
	chain_builder_forget(&builder, 300 * MS);
	cr_assert_eq(builder.history.item_count, 0);
	add_turns(&part, 4, 5);
	add_long_wait(&part, 480);
	add_part(&builder, &part, UINT64_MAX);
	/* After the turn that is there it is known to have run; before it, from the one that is not on. */
	cr_expect_eq(total_of(&builder, CHAIN_RUNNING), 0);
	chain_builder_clear(&builder);
}

static uint64_t root_of(const struct chain_builder *builder, enum chain_kind kind)
{
	const struct chain_node *nodes = chain_tree_nodes(&builder->tree);
	uint64_t total_ns = 0;

	for (size_t i = 0; i < builder->tree.nodes.count; i++)
		total_ns += nodes[i].key.parent == CHAIN_NODE_NONE && nodes[i].key.kind == kind ?
				    nodes[i].total_ns :
				    0;
	return total_ns;
}

/* A sleep of 40 ms, then 10 ms for the quota and 30 ms for a CPU; then put off a CPU, which is no sleep. */
static void add_delays(struct profile *part)
{
	const struct scaler_blocking_interval intervals[] = {
		{ .where = { .task = 1, .site = 1 },
		  .start_ns = 20 * MS,
		  .woken_ns = 60 * MS,
		  .end_ns = 100 * MS,
		  .quota_ns = 10 * MS,
		  .state = 1,
		  .number = 1,
		  .waker = { .context = SCALER_WAKER_HARDIRQ, .is_timer = 1 } },
		{ .where = { .task = 1, .site = 1 },
		  .start_ns = 120 * MS,
		  .woken_ns = 120 * MS,
		  .end_ns = 125 * MS,
		  .flags = SCALER_BLOCKING_PUT_OFF,
		  .number = 2 },
	};

	*part = (struct profile){ .window = { .start_ns = START, .end_ns = 200 * MS },
				  .recording_start_ns = START };
	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(blocking_intervals_add(&part->blocking, &intervals[i], NULL), 0);
}

Test(builder, waits_for_a_cpu)
{
	static const struct blocking_filter long_ones = { .least_ns = 20 * MS }, sleeping = { .states = "S" };
	static const struct {
		const struct blocking_filter *filter;
		uint64_t start_ns;
		unsigned int wait_ms, quota_ms, delay_ms;
		size_t left_out;
	} cases[] = {
		{ NULL, START, 40, 10, 35, 0 },
		{ NULL, 65 * MS, 0, 5, 35, 0 }, /* what was before is in another report */
		{ &long_ones, START, 40, 0, 30, 0 },
		{ &sleeping, START, 40, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct chain_builder builder = { .explains = true, .filter = cases[i].filter };
		struct profile part;

		add_delays(&part);
		part.window.start_ns = cases[i].start_ns;
		add_part(&builder, &part, UINT64_MAX);
		cr_expect_eq(root_of(&builder, CHAIN_WAIT), cases[i].wait_ms * MS, "case %zu", i);
		cr_expect_eq(root_of(&builder, CHAIN_QUOTA), cases[i].quota_ms * MS, "case %zu", i);
		cr_expect_eq(root_of(&builder, CHAIN_RUNNABLE), cases[i].delay_ms * MS, "case %zu", i);
		cr_expect_eq(builder.left_out, cases[i].left_out, "case %zu", i);
		chain_builder_clear(&builder);
	}
}

static uint64_t longest_of(const struct chain_builder *builder)
{
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < builder->tree.nodes.count; i++) {
		if (chain_tree_nodes(&builder->tree)[i].longest_ns > longest_ns)
			longest_ns = chain_tree_nodes(&builder->tree)[i].longest_ns;
	}
	return longest_ns;
}

/* A wait that was not over is in both reports, each with its part. */
Test(builder, next_report)
{
	struct chain_builder builder = { .explains = true };
	struct profile part;

	add_turns(&part, 0, 5);
	add_long_wait(&part, 0);
	add_part(&builder, &part, UINT64_MAX);
	cr_assert_eq(longest_of(&builder), 495 * MS);
	chain_builder_next(&builder);
	cr_assert_eq(builder.history.item_count, 5);
	add_turns(&part, 5, 10);
	part.window.start_ns = 500 * MS;
	add_long_wait(&part, 990);
	add_part(&builder, &part, UINT64_MAX);
	cr_assert_eq(longest_of(&builder), 490 * MS);
	chain_builder_clear(&builder);
}
