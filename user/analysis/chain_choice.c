// SPDX-License-Identifier: GPL-2.0-only
/* Which of the waits that were explained are reported. */
#include "analysis/chain_choice.h"

size_t chain_choose_functions(const struct wait_graph *graph, const struct globs *functions,
			      struct chain_tree *tree)
{
	struct chain_node *nodes = chain_tree_nodes(tree);
	size_t left_out = 0;

	for (size_t i = 0; i < tree->nodes.count && functions->count; i++) {
		struct chain_node *node = &nodes[i];

		if (node->key.parent != CHAIN_NODE_NONE) {
			node->is_left_out = nodes[node->key.parent].is_left_out;
			continue;
		}
		node->is_left_out = !wait_place_is_in(&graph->names[node->key.shape].place, functions);
		/* Of those that waited for a CPU no function is known. */
		left_out += node->is_left_out && node->key.kind == CHAIN_WAIT ? node->count : 0;
	}
	return left_out;
}
