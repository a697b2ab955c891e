// SPDX-License-Identifier: GPL-2.0-only
/* What explains waits, summed up: what many waits have in common is walked once. */
#include "analysis/chain_blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A walk that is summed up. */
struct sum {
	struct chain_blocks *blocks;
	const struct wait_history *history;
	struct distinct *nodes;
	uint64_t segments;
	uint32_t deepest;
	uint32_t waits[CHAIN_DEPTH_LIMIT + 1]; /* the node of the last wait at each depth */
};

/* A block that is made, or used. */
struct stretch {
	const struct history_thread *thread;
	size_t number; /* its index in the history */
	uint32_t depth;
	size_t begin; /* in the thread's items */
	size_t end;
};

static size_t level_size(size_t level)
{
	return (size_t)8 << (3 * level);
}

static void note_depth(struct sum *sum, uint32_t depth)
{
	if (depth > sum->deepest)
		sum->deepest = depth;
}

static int add_segment(void *data, const struct chain_segment *segment)
{
	struct sum *sum = data;
	uint32_t node = chain_nodes_add(sum->nodes, sum->waits[segment->depth - 1], segment);

	if (node == CHAIN_NODE_NONE)
		return -ENOMEM;
	if (chain_kind_is_explained(segment->kind))
		sum->waits[segment->depth] = node;
	sum->segments++;
	note_depth(sum, segment->depth);
	return 0;
}

static int merge(struct sum *sum, const struct chain_block *block, uint32_t depth)
{
	struct chain_blocks *blocks = sum->blocks;

	if (blocks->place_count < block->count) {
		uint32_t *places = reallocarray(blocks->places, block->count, sizeof(*places));

		if (!places)
			return -ENOMEM;
		blocks->places = places;
		blocks->place_count = block->count;
	}
	sum->segments += block->segments;
	note_depth(sum, depth - 1 + block->depth);
	return chain_nodes_merge(sum->nodes, sum->waits[depth - 1], block->nodes, block->count,
				 blocks->places);
}

static void free_blocks(struct chain_blocks *blocks, struct thread_blocks *thread)
{
	for (size_t level = 0; level < CHAIN_BLOCK_LEVELS; level++) {
		for (size_t i = 0; i < thread->counts[level]; i++) {
			blocks->node_count -= thread->levels[level][i].count;
			free(thread->levels[level][i].nodes);
		}
		free(thread->levels[level]);
		thread->levels[level] = NULL;
		thread->counts[level] = 0;
	}
}

static struct thread_blocks *get_thread(struct chain_blocks *blocks, const struct stretch *stretch)
{
	struct thread_blocks *thread;

	if (stretch->number >= blocks->thread_count) {
		size_t count = 2 * stretch->number + 64;
		struct thread_blocks *threads = reallocarray(blocks->threads, count, sizeof(*threads));

		if (!threads)
			return NULL;
		memset(&threads[blocks->thread_count], 0, (count - blocks->thread_count) * sizeof(*threads));
		blocks->threads = threads;
		blocks->thread_count = count;
	}
	thread = &blocks->threads[stretch->number];
	if (thread->revision != stretch->thread->revision)
		free_blocks(blocks, thread);
	thread->revision = stretch->thread->revision;
	return thread;
}

/* Of the level, with what comes last at the index. NULL: there is no memory. */
static struct chain_block *get_block(struct chain_blocks *blocks, const struct stretch *stretch, size_t level)
{
	struct thread_blocks *thread = get_thread(blocks, stretch);
	size_t index = stretch->begin / level_size(level);

	if (!thread)
		return NULL;
	if (index >= thread->counts[level]) {
		size_t count = 2 * index + 1;
		struct chain_block *level_blocks =
			reallocarray(thread->levels[level], count, sizeof(*level_blocks));

		if (!level_blocks)
			return NULL;
		memset(&level_blocks[thread->counts[level]], 0,
		       (count - thread->counts[level]) * sizeof(*level_blocks));
		thread->levels[level] = level_blocks;
		thread->counts[level] = count;
	}
	return &thread->levels[level][index];
}

/* Before which nothing of the thread is followed. */
static bool has_beginning(const struct stretch *stretch)
{
	for (size_t i = stretch->begin; i < stretch->end; i++) {
		if (stretch->thread->items[i].is_created || stretch->thread->items[i].was_found)
			return true;
	}
	return false;
}

static int skip_block(void *data, uint32_t task, size_t at, uint64_t from_ns, uint32_t depth);

/* Takes the nodes of a walk that began at the depth. */
static void keep(struct chain_blocks *blocks, struct chain_block *block, struct distinct *nodes,
		 const struct sum *sum, uint32_t depth)
{
	/* It stays for as long as other blocks do. */
	struct chain_node *shrunk = reallocarray(nodes->items, nodes->count, sizeof(*shrunk));

	if (shrunk)
		nodes->items = shrunk;
	block->nodes = nodes->items;
	block->count = (uint32_t)nodes->count;
	block->depth = sum->deepest - depth + 1;
	block->segments = sum->segments;
	blocks->node_count += nodes->count;
	nodes->items = NULL;
}

/*
 * Not if it is so deep that the walk would end: what lies higher is not cut off there. Until it is made it is one that
 * cannot be, since its own walk begins where it would be used.
 */
static int make_block(const struct sum *above, const struct stretch *stretch, size_t level)
{
	const struct off_cpu *items = stretch->thread->items;
	struct distinct nodes = { 0 };
	struct sum sum = { .blocks = above->blocks, .history = above->history, .nodes = &nodes };
	const struct chain_visitor visitor = { .visit = add_segment, .data = &sum, .skip = skip_block };
	struct chain_block *block = get_block(above->blocks, stretch, level);
	int err;

	if (!block)
		return -ENOMEM;
	block->depth = 1;
	if (has_beginning(stretch))
		return 0;
	sum.waits[stretch->depth - 1] = CHAIN_NODE_NONE;
	err = wait_chain_follow(above->history, stretch->thread->task, items[stretch->end].shape,
				items[stretch->begin].start_ns, items[stretch->end].start_ns, stretch->depth,
				&visitor);
	/* It may have moved. */
	block = err ? NULL : get_block(above->blocks, stretch, level);
	if (!block)
		err = err ?: -ENOMEM;
	else if (sum.deepest >= CHAIN_DEPTH_LIMIT)
		block->depth = stretch->depth;
	else
		keep(above->blocks, block, &nodes, &sum, stretch->depth);
	distinct_clear(&nodes);
	return err;
}

static bool can_be_used(const struct chain_block *block, uint32_t depth)
{
	return block->nodes && depth - 1 + block->depth < CHAIN_DEPTH_LIMIT;
}

static bool can_be_made(const struct chain_blocks *blocks, const struct chain_block *block, uint32_t depth)
{
	return !block->nodes && (!block->depth || depth < block->depth) &&
	       blocks->node_count < CHAIN_BLOCK_NODES;
}

/* Of the level, before the end of the stretch. Returns how many times off a CPU it has, 0 or -ENOMEM. */
static int add_block(struct sum *sum, struct stretch *stretch, size_t level, uint64_t from_ns)
{
	size_t size = level_size(level);
	struct chain_block *block;
	int err;

	if (stretch->end < size || stretch->thread->items[stretch->end - size].start_ns < from_ns)
		return 0;
	stretch->begin = stretch->end - size;
	block = get_block(sum->blocks, stretch, level);
	if (block && can_be_made(sum->blocks, block, stretch->depth)) {
		err = make_block(sum, stretch, level);
		if (err)
			return err;
		block = get_block(sum->blocks, stretch, level);
	}
	if (!block)
		return -ENOMEM;
	if (!can_be_used(block, stretch->depth))
		return 0;
	return merge(sum, block, stretch->depth) ?: (int)size;
}

static int skip_block(void *data, uint32_t task, size_t at, uint64_t from_ns, uint32_t depth)
{
	struct sum *sum = data;
	const struct history_thread *threads = sum->history->threads.items;
	struct stretch stretch = { .thread = wait_history_find(sum->history, task),
				   .depth = depth,
				   .end = at };
	int skipped = 0;

	stretch.number = (size_t)(stretch.thread - threads);
	for (size_t level = CHAIN_BLOCK_LEVELS; level-- && !skipped;) {
		if (at % level_size(level) == 0)
			skipped = add_block(sum, &stretch, level, from_ns);
	}
	return skipped;
}

int chain_blocks_explain(struct chain_blocks *blocks, const struct wait_history *history, uint32_t task,
			 const struct off_cpu *wait, uint64_t from_ns, uint64_t to_ns, struct distinct *nodes,
			 uint32_t parent, uint64_t *segments)
{
	struct sum sum = { .blocks = blocks, .history = history, .nodes = nodes, .waits = { parent } };
	const struct chain_visitor visitor = { .visit = add_segment, .data = &sum, .skip = skip_block };
	int err;

	if (blocks->node_count >= CHAIN_BLOCK_NODES)
		chain_blocks_clear(blocks);
	err = wait_chain_explain(history, task, wait, from_ns, to_ns, 1, &visitor);
	*segments = sum.segments;
	return err;
}

void chain_blocks_clear(struct chain_blocks *blocks)
{
	for (size_t i = 0; i < blocks->thread_count; i++)
		free_blocks(blocks, &blocks->threads[i]);
	free(blocks->threads);
	free(blocks->places);
	*blocks = (struct chain_blocks){ 0 };
}
