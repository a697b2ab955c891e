/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The threads' time by who led to it: below the name of the process's threads the functions of their stacks, from
 * the outermost on, and as the leaf the system call that they were in, or that samples found them running in none.
 * With what else is in no system call all adds up to the threads' lives.
 */
#ifndef SCALER_ANALYSIS_CALL_TREE_H
#define SCALER_ANALYSIS_CALL_TREE_H

#include <stddef.h>

#include "analysis/outside.h"
#include "model/places.h"

enum call_tree_kind {
	CALL_TREE_ROOT,
	CALL_TREE_THREADS,  /* all that have one name */
	CALL_TREE_CUT,      /* what stands for the callers of a stack that is cut */
	CALL_TREE_FUNCTION, /* value is the place's index */
	CALL_TREE_CALL,     /* value is made by call_tree_call() */
	CALL_TREE_RUNNING,  /* outside of calls */
};

struct call_tree_node {
	enum call_tree_kind kind;
	size_t value;       /* of a cut one the enum scaler_stack_end */
	const char *name;   /* of threads, not owned, not trusted */
	size_t parent;      /* indices in nodes, as are the next; 0 is the root, or none */
	size_t first_child; /* of its children, which are sorted */
	size_t next_sibling;
	struct time_figures figures; /* of all below */
};

struct call_tree {
	struct call_tree_node *nodes; /* owned; parents stand before their children */
	size_t count;
	size_t capacity;
	struct time_figures outside; /* of system calls, and in no node */
	struct time_figures total;
};

/*
 * The profile, with its threads sorted by serial, and the places must outlive the tree. Returns 0 or -ENOMEM;
 * the caller clears the tree in both cases.
 */
int call_tree_make(struct profile *profile, const struct places *places, const struct outside *outside,
		   enum sort_key sort, struct call_tree *tree);
void call_tree_clear(struct call_tree *tree);

/* A call as a node's value, and back. */
size_t call_tree_call(enum scaler_abi abi, unsigned int number);
enum scaler_abi call_tree_abi(size_t value);
unsigned int call_tree_number(size_t value);

#endif
