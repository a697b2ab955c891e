// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks, for flame graph tools: a line for each call and way to it, and for each function that samples found
 * running, from the outermost frame on, with frames as component`function, the call marked as the kernel's, and the
 * figure that rows are sorted by.
 */
#include "render/folded.h"

#include <inttypes.h>

#include "base/log.h"
#include "render/losses.h"

static void print_node(FILE *out, const struct report *report, const struct call_tree_node *node)
{
	char name[SYSCALL_NAME_SIZE];

	switch (node->kind) {
	case CALL_TREE_ROOT:
	case CALL_TREE_RUNNING:
		break;
	case CALL_TREE_THREADS:
		folded_thread(out, node->name);
		break;
	case CALL_TREE_CUT:
		fprintf(out, "[cut: %s]", stack_end_text((enum scaler_stack_end)node->value));
		break;
	case CALL_TREE_FUNCTION:
		folded_function(out, report->places, node->value);
		break;
	case CALL_TREE_CALL:
		fprintf(out, "%s_[k]",
			syscall_format(call_tree_abi(node->value), call_tree_number(node->value), name));
		break;
	}
}

/* From the outermost frame to the node. */
static void print_path(FILE *out, const struct report *report, size_t node)
{
	const struct call_tree_node *nodes = report->tree.nodes;

	if (nodes[node].parent) {
		print_path(out, report, nodes[node].parent);
		fputc(';', out);
	}
	print_node(out, report, &nodes[node]);
}

static int folded_tree(struct renderer *renderer, const struct report *report)
{
	enum sort_key sort = sort_key_for(&report->options, PART_TREE);

	for (size_t i = 1; i < report->tree.count; i++) {
		const struct call_tree_node *node = &report->tree.nodes[i];
		uint64_t value = time_figures_value(&node->figures, sort);

		if (node->first_child || !value)
			continue;
		if (report->region) {
			folded_name(renderer->out, report->region->name);
			fputc(';', renderer->out);
		}
		/* The function itself is what runs. */
		print_path(renderer->out, report, node->kind == CALL_TREE_RUNNING ? node->parent : i);
		fprintf(renderer->out, " %" PRIu64 "\n", value);
	}
	return 0;
}

static int folded_nothing(struct renderer *renderer, const struct report *report)
{
	(void)renderer;
	(void)report;
	return 0;
}

/* There is no place for it in the format. */
static int folded_coverage(struct renderer *renderer, const struct report *report)
{
	(void)renderer;
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++) {
		if (report->losses[cause])
			log_note("lost: %" PRIu64 " %s", report->losses[cause],
				 loss_text((enum scaler_loss)cause, report->losses[cause]));
	}
	return 0;
}

const struct renderer_ops renderer_folded = {
	.name = "folded",
	.begin = folded_nothing,
	.parts = { [PART_TREE] = folded_tree, [PART_CHAINS] = folded_chains },
	.coverage = folded_coverage,
	.end = folded_nothing,
};
