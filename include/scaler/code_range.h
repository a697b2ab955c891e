/* SPDX-License-Identifier: GPL-2.0-only */
/* Ranges of code, sorted so that the one around an address is found in a fixed number of steps. */
#ifndef SCALER_CODE_RANGE_H
#define SCALER_CODE_RANGE_H

#include <linux/types.h>

struct scaler_code_range {
	__u64 start; /* addresses */
	__u64 end;   /* the first behind it */
};

/* A power of two. */
#define SCALER_CODE_RANGES 512

/*
 * Sorted by start, none within another; those that are not used come last, and begin at ~0. The first is never looked for
 * by its start, and may be unused as well: all zero.
 */
struct scaler_code_ranges {
	struct scaler_code_range items[SCALER_CODE_RANGES];
};

/* Each step decides one bit of the index of the last range that does not begin above the address. */
static inline __attribute__((always_inline)) int
scaler_code_ranges_have(const struct scaler_code_ranges *ranges, __u64 address)
{
	__u32 index = 0;

	for (__u32 bit = SCALER_CODE_RANGES / 2; bit; bit /= 2) {
		__u32 next = (index | bit) & (SCALER_CODE_RANGES - 1);

		if (ranges->items[next].start <= address)
			index = next;
	}
	return address >= ranges->items[index].start && address < ranges->items[index].end;
}

#endif
