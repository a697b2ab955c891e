/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the waits that were explained are reported, by what is known of them only once places have names. */
#ifndef SCALER_ANALYSIS_CHAIN_CHOICE_H
#define SCALER_ANALYSIS_CHAIN_CHOICE_H

#include <stddef.h>

#include "analysis/chain_tree.h"
#include "analysis/wait_graph.h"
#include "base/globs.h"

/*
 * Marks the tree's nodes that belong to waits in other functions than these, which are left out; of no pattern none is.
 * Returns how many waits that are.
 */
size_t chain_choose_functions(const struct wait_graph *graph, const struct globs *functions,
			      struct chain_tree *tree);

#endif
