/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a function's beginning can be probed: at its first instruction or, if the kernel cannot do that, soon behind it,
 * where the stack is still as the call has left it.
 */
#ifndef SCALER_TARGET_PROBE_ENTRY_H
#define SCALER_TARGET_PROBE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "target/probe_site.h"

/* How far around a function jumps into its beginning are looked for. */
#define PROBE_ENTRY_REACH 262144

struct probe_entry {
	enum probe_site_fault fault; /* of its first instruction, if there is none behind it either */
	enum probe_site_kind kind;   /* of that which can be probed */
	uint8_t skipped;             /* bytes before that */
};

/*
 * Of the function at code[function]; code is what the file has around it, so that it begins before or is the file's beginning.
 * Instructions are skipped that do not touch the stack and lead nowhere else: vector instructions and locked ones. No jump
 * may lead behind them, nor back to them: each pass of a loop would count. Jumps are looked for at every byte, whether an
 * instruction begins there or not, so some that are none are found, and none is missed but a computed one.
 */
void probe_entry_find(struct probe_entry *entry, const uint8_t *code, size_t size, size_t function);

#endif
