// SPDX-License-Identifier: GPL-2.0-only
/*
 * Wait-for stacks: a line for each cause of waits, from the frames of the thread that waited, by way of those of the
 * threads that it waited for, to what that was; "--" stands between two of them. The figure is the time in ns that was
 * not idle.
 */
#include <inttypes.h>
#include <string.h>

#include "model/syscalls.h"
#include "render/folded.h"

static void print_stack(FILE *out, const struct report *report, uint32_t shape)
{
	const struct wait_shape_key *key = &wait_shape_get(&report->graph.history->shapes, shape)->key;
	const struct shape_names *names = &report->graph.names[shape];
	const struct frames *frames = &names->place.frames;
	char call[SYSCALL_NAME_SIZE];

	if (frames->count && !frames_are_whole(frames))
		fprintf(out, ";[cut: %s]", stack_end_text(frames->end));
	for (size_t i = frames->count; i--;) {
		fputc(';', out);
		folded_function(out, report->places, frames_place(frames, i));
	}
	if (key->is_in_call)
		fprintf(out, ";%s_[k]", syscall_format(key->call.abi, key->call.number, call));
	if (names->kernel != PLACE_NONE && !wait_place_is_kernel(&names->place, key->kernel)) {
		fputc(';', out);
		folded_function(out, report->places, names->kernel);
	}
}

static void print_part(FILE *out, const struct report *report, const struct chain_node_key *key)
{
	const struct wait_shape_key *shape = &wait_shape_get(&report->graph.history->shapes, key->shape)->key;
	const char *cause = shape_cause_name(&report->graph.names[key->shape]);
	char comm[SCALER_COMM_SIZE + 1] = { 0 };

	memcpy(comm, shape->comm, SCALER_COMM_SIZE);
	if (chain_kind_has_task(key->kind))
		folded_thread(out, comm);
	if (key->kind == CHAIN_WAIT || key->kind == CHAIN_RUNNING) {
		print_stack(out, report, key->shape);
		return;
	}
	fprintf(out, "%s[%s", chain_kind_has_task(key->kind) ? ";" : "", chain_kind_name(key->kind));
	if (cause && (key->kind == CHAIN_DEVICE || key->kind == CHAIN_INTERRUPT)) {
		fputc(' ', out);
		folded_name(out, cause);
	}
	fputc(']', out);
}

/* Recursive as chains are, which are no deeper than CHAIN_DEPTH_LIMIT. */
static void print_parts(FILE *out, const struct report *report, uint32_t index)
{
	const struct chain_node *node = &chain_tree_nodes(report->chains.tree)[index];

	if (node->key.parent != CHAIN_NODE_NONE) {
		print_parts(out, report, node->key.parent);
		fputs(";--;", out);
	}
	print_part(out, report, &node->key);
}

static size_t depth_of(const struct chain_tree *tree, const struct chain_node *node)
{
	size_t depth = 0;

	for (; node->key.parent != CHAIN_NODE_NONE; depth++)
		node = &chain_tree_nodes(tree)[node->key.parent];
	return depth;
}

/* Whether it is shown, and nothing of what explains it. */
static bool is_end(const struct report *report, const struct chain_node *node)
{
	size_t depth = depth_of(report->chains.tree, node);

	if (node->is_left_out || !report_shows_depth(&report->options, depth))
		return false;
	return !chain_kind_is_explained(node->key.kind) || !report_shows_depth(&report->options, depth + 1);
}

int folded_chains(struct renderer *renderer, const struct report *report)
{
	const struct chain_tree *tree = report->chains.tree;

	for (uint32_t i = 0; i < tree->nodes.count; i++) {
		const struct chain_node *node = &chain_tree_nodes(tree)[i];

		if (!is_end(report, node) || node->total_ns == node->idle_ns)
			continue;
		print_parts(renderer->out, report, i);
		fprintf(renderer->out, " %" PRIu64 "\n", node->total_ns - node->idle_ns);
	}
	return 0;
}
