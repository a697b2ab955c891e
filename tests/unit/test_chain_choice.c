// SPDX-License-Identifier: GPL-2.0-only
/* Chains of the waits in some functions only. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/chain_choice.h"
#include "base/array.h"

/* Of two threads, the first one's wait is ended by the second, and in the midst of that is the second's own. */
static void add_waits(struct wait_history *history, struct chain_tree *tree)
{
	static const struct scaler_blocking_interval intervals[] = {
		{ .where = { .task = 1, .site = 1 },
		  .start_ns = 100,
		  .woken_ns = 900,
		  .end_ns = 950,
		  .waker = { .context = SCALER_WAKER_TASK, .where = { .task = 2, .site = 3 } } },
		{ .where = { .task = 2, .site = 2 },
		  .start_ns = 200,
		  .woken_ns = 700,
		  .end_ns = 800,
		  .waker = { .context = SCALER_WAKER_HARDIRQ, .is_timer = 1 } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		cr_assert(wait_history_add(history, &intervals[i], NULL));
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		const struct scaler_blocking_interval *wait = &intervals[i];

		cr_assert_eq(chain_tree_add(tree, history, wait->where.task,
					    wait_history_get(history, wait->where.task, wait->start_ns),
					    wait->start_ns, wait->woken_ns),
			     0);
	}
}

/* Each way that a function can be on, one wait is in; without patterns both are chosen. */
Test(chain_choice, functions)
{
	static const struct {
		const char *globs;
		size_t left_out;
	} cases[] = { { "read", 1 }, { "r*,nobody", 1 }, { "lock_all", 1 }, { "nobody", 2 }, { NULL, 0 } };
	struct place items[] = { { .function = "read" }, { .function = "lock_all" }, { 0 } };
	const struct places places = { .items = items, .count = ARRAY_SIZE(items) };
	struct wait_history history = { 0 };
	struct chain_tree tree = { 0 };
	struct wait_graph graph = { .places = &places, .history = &history };

	add_waits(&history, &tree);
	graph.names = calloc(history.shapes.count + 1, sizeof(*graph.names));
	cr_assert(graph.names);
	for (uint32_t i = 0; i < history.shapes.count; i++) {
		uint64_t site = wait_shape_get(&history.shapes, i)->key.site;

		graph.names[i].place = (struct wait_place){
			.frames = { .places = &places },
			.path = { site == 1 ? 0 : PLACE_NONE, 2, site == 2 ? 1 : PLACE_NONE, 0 },
		};
	}
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct chain_node *nodes = chain_tree_nodes(&tree);
		struct globs globs = { 0 };

		cr_assert(!cases[i].globs || !globs_add(&globs, cases[i].globs));
		cr_expect_eq(chain_choose_functions(&graph, &globs, &tree), cases[i].left_out, "case %zu", i);
		for (size_t node = 0; node < tree.nodes.count && globs.count; node++) {
			uint32_t parent = nodes[node].key.parent;

			cr_expect(parent == CHAIN_NODE_NONE ||
				  nodes[parent].is_left_out == nodes[node].is_left_out);
		}
		globs_clear(&globs);
	}
	chain_tree_clear(&tree);
	wait_graph_clear(&graph);
	wait_history_clear(&history);
}
