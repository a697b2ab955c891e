/* SPDX-License-Identifier: GPL-2.0-only */
/* How often ranges hold what they are of, at made-up figures. */
#ifndef TESTS_UNIT_RANGES_H
#define TESTS_UNIT_RANGES_H

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/sampled.h"

static inline double chance(void)
{
	return rand() / (RAND_MAX + 1.0);
}

static inline bool range_holds(const struct sampled_range *range, double truth)
{
	return (double)range->low <= truth && truth <= (double)range->high;
}

/* Expects that of 1,000 runs, with few windows or many, more than least and fewer than most hold the truth. */
static inline void expect_held(bool (*run_holds)(int windows), int least, int most)
{
	static const int windows[] = { 16, 40, 200 };

	srand(1);
	for (size_t i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		int held = 0;

		for (int run = 0; run < 1000; run++)
			held += run_holds(windows[i]);
		cr_expect_gt(held, least, "%d windows: %d", windows[i], held);
		cr_expect_lt(held, most, "%d windows: %d", windows[i], held);
	}
}

#endif
