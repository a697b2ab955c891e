/* SPDX-License-Identifier: GPL-2.0-only */
/* The walk up a stack that was copied: what the kernel side does on the thread's own memory. */
#ifndef SCALER_TARGET_STACK_WALK_H
#define SCALER_TARGET_STACK_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/event.h>
#include <scaler/stack.h>
#include <scaler/unwind_step.h>

/* A part of a thread's stack as it was. The bytes are not owned, and not aligned. */
struct stack_copy {
	uint64_t start; /* the address of the first byte */
	const unsigned char *bytes;
	size_t size;
	uint64_t
		missing; /* bit N: page N of SCALER_COPY_PAGE bytes is not there, and what it holds means nothing */
	bool interrupted; /* the walk begins at an instruction that has not been executed, and not in a call */
};

/* What the walk asks about code; context is the asker's own. */
struct stack_code {
	void *context;
	/* The site of an address, and its rule; 0: in nothing executable that is known. */
	uint64_t (*find)(void *context, uint64_t address, struct scaler_unwind_rule *rule);
	/* Eight bytes of code from an address on; false: they are not known. */
	bool (*read_code)(void *context, uint64_t address, uint64_t *word);
};

struct stack_frames {
	__u64 sites[SCALER_STACK_FRAMES];
	size_t count;
	enum scaler_stack_end end;
	bool unsure; /* some caller is, as scaler_frame.unsure says */
};

/* Appends the sites of a frame and its callers to frames, until there are as many as limit says. */
void stack_walk(struct scaler_frame frame, const struct stack_copy *copy, const struct stack_code *code,
		size_t limit, struct stack_frames *frames);

#endif
