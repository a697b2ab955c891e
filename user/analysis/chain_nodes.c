// SPDX-License-Identifier: GPL-2.0-only
/* Segments of wait-for chains summed up as trees. */
#include "analysis/chain_nodes.h"

#include <errno.h>

/* An index that is no index becomes CHAIN_NODE_NONE. */
static uint32_t add(struct distinct *nodes, const struct chain_node_key *key, uint64_t count,
		    uint64_t total_ns, uint64_t longest_ns)
{
	uint32_t index = (uint32_t)distinct_add(nodes, key, sizeof(*key), sizeof(struct chain_node));
	struct chain_node *node;

	if (index == CHAIN_NODE_NONE)
		return index;
	node = chain_nodes_get(nodes, index);
	node->count += count;
	node->total_ns += total_ns;
	if (longest_ns > node->longest_ns)
		node->longest_ns = longest_ns;
	return index;
}

uint32_t chain_nodes_add(struct distinct *nodes, uint32_t parent, const struct chain_segment *segment)
{
	const struct chain_node_key key = { parent, segment->shape, segment->kind };
	uint64_t time_ns = segment->to_ns - segment->from_ns;

	return add(nodes, &key, 1, time_ns, time_ns);
}

int chain_nodes_merge(struct distinct *nodes, uint32_t parent, const struct chain_node *sums, size_t count,
		      uint32_t *places)
{
	for (size_t i = 0; i < count; i++) {
		struct chain_node_key key = sums[i].key;

		key.parent = key.parent == CHAIN_NODE_NONE ? parent : places[key.parent];
		places[i] = add(nodes, &key, sums[i].count, sums[i].total_ns, sums[i].longest_ns);
		if (places[i] == CHAIN_NODE_NONE)
			return -ENOMEM;
	}
	return 0;
}
