/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows the code of a file as the CPU does: from instruction to instruction, to both sides of each branch, where jumps
 * lead and to all cases of a switch; but not into what is called, only behind that.
 */
#ifndef SCALER_CODE_CODE_FLOW_H
#define SCALER_CODE_CODE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include "code/instruction.h"
#include "elf/linkage.h"

struct code_flow;

/* Of an open file, which is linked so; the linkage outlives the flow. Returns 0, -ENOTSUP on machines whose code is
 * not known, -ENOMEM, or another negative errno if the file cannot be read. */
int code_flow_open(struct code_flow **flow, const struct linkage *linkage, int fd);
void code_flow_close(struct code_flow *flow);

/* An instruction that decides where code goes on. */
struct code_step {
	/* NULL: from here on the code is not known. */
	const struct instruction *instruction;
	/*
	 * The instruction's; but that of a jump or a call to a stub, by which linkers reach other files, is that of the stub,
	 * and that of a jump by a table, all of whose cases are followed, INSTRUCTION_PLAIN.
	 */
	enum instruction_kind kind;
	/* A computed jump, and right behind what takes the function's frame down: it leads to another function. */
	bool leaves;
	/* What is jumped to or called there; NULL: not a function that the dynamic linker binds by its name. */
	const struct linkage_slot *slot;
};

/* Returns 0 to go on, 1 to stop, or a negative errno. */
typedef int (*code_step_take)(void *context, const struct code_step *step);

/*
 * Calls take for each such instruction that can be reached from an address on, in no order, and once. After as many
 * instructions as most the rest is not known. Returns how many there were, or a negative errno, also take's.
 */
ssize_t code_flow_follow(struct code_flow *flow, uint64_t address, size_t most, code_step_take take,
			 void *context);

/* Whether one of the functions that the file exports begins at the address. */
bool code_flow_is_export(const struct code_flow *flow, uint64_t address);

/* Whether what is at the address is a stub, which jumps to another file. */
bool code_flow_is_stub(struct code_flow *flow, uint64_t address);

#endif
