/* SPDX-License-Identifier: GPL-2.0-only */
/* What a part of a chain was, by the names that people know: which threads', at what, in which functions. */
#ifndef SCALER_ANALYSIS_CHAIN_WHAT_H
#define SCALER_ANALYSIS_CHAIN_WHAT_H

#include "analysis/wait_chain.h"
#include "analysis/wait_graph.h"

struct chain_what {
	enum chain_kind kind;
	const struct wait_shape *shape; /* of one of them */
	struct wait_place place;        /* not of all kinds: the shape's */
	size_t kernel;                  /* as in struct blocking_row, as are the next two */
	struct resource resource;       /* of a wait */
	const char *disk;               /* as in struct shape_names, as is the next */
	const char *interrupt;
	bool has_several; /* of waits: on several things of that kind */
	/* Of waits, for how long they had asked to wait; 0: some had not. */
	uint64_t least_timeout_ns;
	uint64_t most_timeout_ns;
};

/* What tells them apart. What a kind does not have is 0, or SIZE_MAX. */
struct chain_what_key {
	uint64_t kind;
	char comm[16];
	char cpu_holder[16];
	uint64_t entered;
	uint64_t innermost;
	uint64_t caller;
	uint64_t kernel;
	uint64_t variable;
	uint32_t call; /* its bytes */
	uint32_t cut;
	uint8_t is_in_call;
	uint8_t resource;
	uint8_t descriptor;
	uint8_t resource_flags;
	uint16_t vector;
	uint8_t context;
	uint8_t signal;
	uint8_t side;
	uint8_t zero[3];
	uint32_t disk;
};

/* The shape is a number in the graph. */
struct chain_what chain_what_of(const struct wait_graph *graph, enum chain_kind kind, uint32_t shape);
struct chain_what_key chain_what_key_of(const struct wait_graph *graph, enum chain_kind kind, uint32_t shape);
struct chain_what_key chain_what_key(const struct chain_what *what);

/* Another one with the same key is meant too. */
void chain_what_add(struct chain_what *what, const struct wait_graph *graph, uint32_t shape);

/* Whether it has a system call and a place. */
static inline bool chain_what_has_place(const struct chain_what *what)
{
	return what->kind == CHAIN_WAIT || what->kind == CHAIN_RUNNING;
}

#endif
