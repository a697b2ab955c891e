/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions that a uprobe can be put on, as far as their first bytes tell. */
#ifndef SCALER_CODE_PROBE_SITE_H
#define SCALER_CODE_PROBE_SITE_H

#include <stddef.h>
#include <stdint.h>

/* x86-64's instructions are no longer. */
#define PROBE_SITE_BYTES 15

/* Why an instruction is no place for a probe. */
enum probe_site_fault {
	PROBE_SITE_SOUND,
	PROBE_SITE_REFUSED, /* the kernel sets no probe there; it has more reasons, rare at a function's beginning */
	PROBE_SITE_MISTAKEN, /* it sets one, and the program goes wrong: it takes the instruction for another */
};

/* arch/x86/kernel/uprobes.c; no instruction at all is refused. */
enum probe_site_fault probe_site_fault(const uint8_t *code, size_t size);

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
