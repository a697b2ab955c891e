// SPDX-License-Identifier: GPL-2.0-only
/* Instructions that a uprobe can be put on. */
#include "code/probe_site.h"

#include <stdbool.h>
#include <string.h>

#define BREAKPOINT 0xcc

/*
 * How long the prefix is that vector instructions begin with since AVX, and AVX-512; 0: it is none of these. One byte
 * follows that tells the instruction, which the kernel takes for one of the oldest (OPCODE1() in
 * arch/x86/kernel/uprobes.c), as long as that is one of its own.
 */
static size_t vector_prefix_bytes(uint8_t first)
{
	return first == 0xc5 ? 2 : first == 0xc4 ? 3 : first == 0x62 ? 4 : 0;
}

/* Input, output, interrupts, and what 64-bit code has no more (uprobe_init_insn()). */
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

/*
 * The old instructions that are not executed as they are, but emulated (branch_setup_xol_ops(); pushes are told by their
 * length), or after which the kernel does not go on behind them (arch_uprobe_analyze_insn()). A vector instruction with
 * such a byte is skipped, as if it were a jump that is not taken, or leaves the program where the copy of it was.
 */
static bool is_special_opcode(uint8_t opcode)
{
	switch (opcode) {
	case 0x70 ... 0x7f: /* jump if, near */
	case 0x90:          /* nop */
	case 0x9a:          /* far call */
	case 0x9d:          /* pop of the flags */
	case 0xc2 ... 0xc3: /* return */
	case 0xca ... 0xcb:
	case 0xe8: /* call */
	case 0xe9: /* jump */
	case 0xea ... 0xeb:
	case 0xff: /* jump or call to where a register says */
		return true;
	}
	return false;
}

static enum probe_site_fault vector_fault(uint8_t opcode)
{
	if (is_refused_opcode(opcode))
		return PROBE_SITE_REFUSED;
	return is_special_opcode(opcode) ? PROBE_SITE_MISTAKEN : PROBE_SITE_SOUND;
}

#define REX_B 0x41 /* what makes of eight registers the other eight */
#define NOP   0x90 /* but with that an exchange of registers */
#define XOP   0x8f /* a pop, or AMD's vector instructions, by the next byte */
#define REX2  0xd5 /* of APX, which most kernels do not know */

static enum probe_site_fault opcode_fault(const uint8_t *code, size_t size)
{
	uint8_t first = code[0], second = size > 1 ? code[1] : 0;

	if (first == BREAKPOINT || first == REX2)
		return PROBE_SITE_REFUSED;
	if (((first & 0xf1) == REX_B && second == NOP) || (first == XOP && (second & 0x38)))
		return PROBE_SITE_MISTAKEN;
	return PROBE_SITE_SOUND;
}

enum probe_site_fault probe_site_fault(const uint8_t *code, size_t size)
{
	size_t vector = size ? vector_prefix_bytes(*code) : 0;

	if (vector)
		return vector >= size ? PROBE_SITE_REFUSED : vector_fault(code[vector]);
	for (size_t i = 0; i < size; i++) {
		switch (code[i]) {
		case 0x26: /* the segments that 64-bit code has no use for (is_prefix_bad()) */
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0xf0: /* lock */
			return PROBE_SITE_REFUSED;
		case 0x64: /* prefixes that are as good as none: the other segments, sizes, repetition */
		case 0x65:
		case 0x66:
		case 0x67:
		case 0xf2:
		case 0xf3:
			continue;
		default:
			return opcode_fault(code + i, size - i);
		}
	}
	return PROBE_SITE_REFUSED;
}

#define TWO_BYTE_OPCODE 0x0f

enum probe_site_kind probe_site_kind(const uint8_t *code, size_t size)
{
	static const uint8_t nop5[] = { TWO_BYTE_OPCODE, 0x1f, 0x44, 0x00, 0x00 };
	uint8_t first = size ? code[0] : 0, second = size > 1 ? code[1] : 0;

	if (size >= sizeof(nop5) && !memcmp(code, nop5, sizeof(nop5)))
		return PROBE_SITE_NOP5;
	switch (first) {
	case 0x50 ... 0x57: /* push */
	case 0x70 ... 0x7f: /* jump if, near */
	case NOP:
	case 0xe8: /* call */
	case 0xe9: /* jump */
	case 0xeb:
		return PROBE_SITE_EMULATED;
	case REX_B:
		return second >= 0x50 && second <= 0x57 ? PROBE_SITE_EMULATED : PROBE_SITE_STEPPED;
	case TWO_BYTE_OPCODE:
		return second >= 0x80 && second <= 0x8f ? PROBE_SITE_EMULATED : PROBE_SITE_STEPPED;
	}
	return PROBE_SITE_STEPPED;
}
