/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions that a uprobe can be put on, as far as their first bytes tell. */
#ifndef SCALER_TARGET_PROBE_SITE_H
#define SCALER_TARGET_PROBE_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* x86-64's instructions are no longer. */
#define PROBE_SITE_BYTES 15

/*
 * Whether the kernel is known to refuse the instruction that begins so (arch/x86/kernel/uprobes.c: is_prefix_bad, and a
 * breakpoint). It knows more reasons, which are rare at the beginning of a function.
 */
bool probe_site_is_refused(const uint8_t *code, size_t size);

/* How the kernel executes the instruction that a breakpoint has replaced, which decides what a probe on it costs. */
enum probe_site_kind {
	PROBE_SITE_STEPPED,  /* in a place of its own, and traps once more behind it */
	PROBE_SITE_EMULATED, /* by itself: a jump, a call, a push of a register, a nop of one byte */
	PROBE_SITE_NOP5,     /* a nop of five bytes, in whose place newer kernels can put a call */
	PROBE_SITE_KINDS,
};

/* arch/x86/kernel/uprobes.c: branch_setup_xol_ops and push_setup_xol_ops. */
enum probe_site_kind probe_site_kind(const uint8_t *code, size_t size);

#endif
