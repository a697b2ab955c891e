/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the functions of a file may come to call, directly or through others of the same file: found by following the
 * code of each as the CPU does, from instruction to instruction and to both sides of each branch. Calls that lead out of
 * the file are known by the name that the dynamic linker binds. Of calls and jumps to what was computed, other than by
 * a switch, nothing is known; nor of what happens in system calls, in which threads may be cancelled.
 */
#ifndef SCALER_TARGET_CODE_REACH_H
#define SCALER_TARGET_CODE_REACH_H

#include <stddef.h>
#include <stdint.h>

#include "target/linkage.h"

struct code_reach_rules {
	/* What calling a function of another file means, as bits. */
	uint32_t (*outside)(const char *name, const char *version);
	uint32_t anything;        /* the same of what is not known */
	size_t most_instructions; /* to be decoded; functions that would need more are not known */
};

/*
 * For each of count functions of an open file, by their addresses, the bits of all that it may come to call. Returns 0,
 * -ENOTSUP on machines whose code is not known, -ENOMEM, or another negative errno if the file cannot be read.
 */
int code_reach_find(const struct code_reach_rules *rules, const struct linkage *linkage, int fd,
		    const uint64_t *functions, size_t count, uint32_t *bits);

#endif
