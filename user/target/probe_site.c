// SPDX-License-Identifier: GPL-2.0-only
/* Instructions that a uprobe can be put on. */
#include "target/probe_site.h"

#include <string.h>

#define BREAKPOINT 0xcc

/*
 * How long the prefix is that vector instructions begin with since AVX, and AVX-512; 0: it is none of these. One byte
 * follows that tells the instruction, which the kernel takes for one of the oldest (is_prefix_bad() and uprobe_init_insn()
 * in arch/x86/kernel/uprobes.c).
 */
static size_t vector_prefix_bytes(uint8_t first)
{
	return first == 0xc5 ? 2 : first == 0xc4 ? 3 : first == 0x62 ? 4 : 0;
}

/* Input, output, interrupts, and what 64-bit code has no more. */
static bool is_refused_opcode(uint8_t opcode)
{
	switch (opcode) {
	case 0x60 ... 0x61:
	case 0x6c ... 0x6f:
	case 0xe4 ... 0xe7:
	case 0xec ... 0xef:
	case 0xf4:
	case 0xfa ... 0xfb:
		return true;
	}
	return false;
}

bool probe_site_is_refused(const uint8_t *code, size_t size)
{
	size_t vector = size ? vector_prefix_bytes(*code) : 0;

	if (vector)
		return vector >= size || is_refused_opcode(code[vector]);
	for (size_t i = 0; i < size; i++) {
		switch (code[i]) {
		case 0x26: /* the segments that 64-bit code has no use for */
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0xf0: /* lock */
			return true;
		case 0x64: /* prefixes that are as good as none: the other segments, sizes, repetition */
		case 0x65:
		case 0x66:
		case 0x67:
		case 0xf2:
		case 0xf3:
			continue;
		default:
			return code[i] == BREAKPOINT;
		}
	}
	return true;
}

#define TWO_BYTE_OPCODE 0x0f
#define REX_B           0x41 /* what makes of eight registers the other eight */

enum probe_site_kind probe_site_kind(const uint8_t *code, size_t size)
{
	static const uint8_t nop5[] = { TWO_BYTE_OPCODE, 0x1f, 0x44, 0x00, 0x00 };
	uint8_t first = size ? code[0] : 0, second = size > 1 ? code[1] : 0;

	if (size >= sizeof(nop5) && !memcmp(code, nop5, sizeof(nop5)))
		return PROBE_SITE_NOP5;
	switch (first) {
	case 0x50 ... 0x57: /* push */
	case 0x70 ... 0x7f: /* jump if, near */
	case 0x90:          /* nop */
	case 0xe8:          /* call */
	case 0xe9:          /* jump */
	case 0xeb:
		return PROBE_SITE_EMULATED;
	case REX_B:
		return second >= 0x50 && second <= 0x57 ? PROBE_SITE_EMULATED : PROBE_SITE_STEPPED;
	case TWO_BYTE_OPCODE:
		return second >= 0x80 && second <= 0x8f ? PROBE_SITE_EMULATED : PROBE_SITE_STEPPED;
	}
	return PROBE_SITE_STEPPED;
}
