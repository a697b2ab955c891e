/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the beginning of a function is probed: at its first instruction or, where that is cheaper or the kernel cannot
 * probe that one, soon behind it, where the stack is still as the call has left it.
 */
#ifndef SCALER_CODE_PROBE_ENTRY_H
#define SCALER_CODE_PROBE_ENTRY_H

#include <stdint.h>

#include "code/probe_site.h"

struct probe_entry {
	enum probe_site_fault fault; /* of its first instruction, if there is none behind it either */
	enum probe_site_kind kind;   /* of that which is probed */
	uint8_t skipped;             /* bytes before that */
};

/* Of one file. */
struct probe_entries;

/* Of an open file, which outlives them. NULL: no memory. */
struct probe_entries *probe_entries_open(int fd);

/*
 * Of the function at an offset in the file. Behind the first is probed what the kernel emulates: it takes a tenth of the
 * time where instructions are stepped by a hypervisor's grace. What is skipped for that leads nowhere else and leaves the
 * stack pointer and the arguments as they are. What is skipped because the first cannot be probed are vector instructions
 * and locked ones. No jump may lead behind what is skipped, nor back to it: each pass of a loop would count. A nop of five
 * bytes is probed only where it is first, because a call may be put in its place (set_swbp() in arch/x86/kernel/uprobes.c),
 * which writes below the stack pointer, where a function that calls no other may keep what it likes.
 *
 * Jumps are looked for at every byte, whether an instruction begins there or not, but for short ones behind the
 * function's beginning, which are decoded. So some are found that are none, and none is missed but a computed one.
 */
struct probe_entry probe_entries_find(struct probe_entries *entries, uint64_t function);

void probe_entries_close(struct probe_entries *entries);

#endif
