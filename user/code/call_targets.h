/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the functions that a file imports its call instructions lead to: directly by way of the dynamic linker's
 * table, or by a stub that jumps so. The name that a caller uses stays true where the function that was called goes on to
 * another in its place (a tail call), which a stack does not show.
 */
#ifndef SCALER_CODE_CALL_TARGETS_H
#define SCALER_CODE_CALL_TARGETS_H

#include <stdint.h>

#include "elf/linkage.h"

struct call_targets;

/* Of an open file that is linked so; both outlive it. Returns 0, -ENOTSUP on machines whose code is not known, or -ENOMEM. */
int call_targets_open(struct call_targets **targets, const struct linkage *linkage, int fd);
void call_targets_close(struct call_targets *targets);

/*
 * What the call instruction leads to whose last byte is at that offset in the file. NULL: there is none, or it calls
 * what a register or the program's own memory says.
 */
const struct linkage_slot *call_targets_find(const struct call_targets *targets, uint64_t offset);

#endif
