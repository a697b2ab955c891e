// SPDX-License-Identifier: GPL-2.0-only
/* Instructions that a uprobe can be put on. */
#include "target/probe_site.h"

#define BREAKPOINT 0xcc

bool probe_site_is_refused(const uint8_t *code, size_t size)
{
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
