/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where calls of a function end that return: at the return instructions of its code, and of what that jumps to in the same
 * file, and at the jumps by which it leaves the file, to another function that returns in its place. At each of them the
 * stack pointer is what it was at the function's first instruction, and nowhere before.
 */
#ifndef SCALER_CODE_CODE_EXITS_H
#define SCALER_CODE_CODE_EXITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_flow.h"

/* No more of a function; three in a thousand functions of a C library have more. */
#define CODE_EXITS_MAX 32

struct code_exits {
	uint64_t items[CODE_EXITS_MAX]; /* addresses by the file's own numbers, in ascending order */
	size_t count;                   /* 0: they are not known, or not all, or there are more, or none */
	bool jumps_on;                  /* to where another function begins that the file exports */
};

/*
 * Those of the function at an address. Not known are those of code that jumps to what was computed, other than by a switch
 * or as the last that it does; that cannot be followed; or whose first instruction is an exit. Returns 0 or -ENOMEM.
 */
int code_exits_find(struct code_flow *flow, uint64_t address, struct code_exits *exits);

#endif
