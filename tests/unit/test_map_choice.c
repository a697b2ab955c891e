// SPDX-License-Identifier: GPL-2.0-only
/* How many rows maps are given for what is to be traced. */
#include <criterion/criterion.h>

#include "plan/map_choice.h"

#define MIB (1ULL << 20)
#define GIB (1ULL << 30)

struct sizes {
	uint32_t rows[RECORDER_MAP_COUNT];
};

static struct sizes choose(struct map_needs needs)
{
	struct sizes sizes = { 0 };

	map_choice_fill(sizes.rows, &needs);
	return sizes;
}

Test(map_choice, defaults_are_enough_for_most)
{
	struct sizes sizes = choose((struct map_needs){ 2048, 4096, 4, 8 * GIB });

	for (int map = 0; map < RECORDER_MAP_COUNT; map++)
		cr_expect_eq(sizes.rows[map], 0, "map %d", map);
}

Test(map_choice, threads)
{
	struct sizes sizes = choose((struct map_needs){ .threads = 2049 });

	cr_expect_eq(sizes.rows[RECORDER_MAP_CALLS], 1 << 17);
	cr_expect_eq(sizes.rows[RECORDER_MAP_ERRORS], 0);
	sizes = choose((struct map_needs){ .threads = 20000 });
	cr_expect_eq(sizes.rows[RECORDER_MAP_CALLS], 1 << 20);
	cr_expect_eq(sizes.rows[RECORDER_MAP_ERRORS], 1 << 17);
	cr_expect_eq(sizes.rows[RECORDER_MAP_THREADS], 1 << 17);
	cr_expect_eq(sizes.rows[RECORDER_MAP_CONTEXTS], 0);
	sizes = choose((struct map_needs){ .threads = UINT32_MAX });
	cr_expect_eq(sizes.rows[RECORDER_MAP_CALLS], 1 << 22);
}

Test(map_choice, calls_of_threads_to_come_within_a_share_of_the_memory)
{
	cr_expect_eq(choose((struct map_needs){ .memory_bytes = 64 * GIB }).rows[RECORDER_MAP_CALLS],
		     1 << 18);
	cr_expect_eq(choose((struct map_needs){ .memory_bytes = 12 * GIB }).rows[RECORDER_MAP_CALLS],
		     1 << 17);
	cr_expect_eq(choose((struct map_needs){ 20000, .memory_bytes = 64 * GIB }).rows[RECORDER_MAP_CALLS],
		     1 << 20);
}

Test(map_choice, functions)
{
	cr_expect_eq(choose((struct map_needs){ .functions = 8192 }).rows[RECORDER_MAP_CONTEXTS], 1 << 17);
}

Test(map_choice, events_of_many_cpus_within_a_share_of_the_memory)
{
	struct map_needs needs = { .cpus = 12, .memory_bytes = 64 * GIB };

	cr_expect_eq(choose(needs).rows[RECORDER_MAP_EVENTS], 128 * MIB);
	needs.memory_bytes = 6 * GIB;
	cr_expect_eq(choose(needs).rows[RECORDER_MAP_EVENTS], 64 * MIB);
	needs.memory_bytes = GIB;
	cr_expect_eq(choose(needs).rows[RECORDER_MAP_EVENTS], 0);
	needs = (struct map_needs){ .cpus = 1000, .memory_bytes = 1024 * GIB };
	cr_expect_eq(choose(needs).rows[RECORDER_MAP_EVENTS], 256 * MIB);
}

Test(map_choice, what_is_asked_for_stays)
{
	struct map_needs needs = { 1000000, 1000000, 64, 1024 * GIB };
	uint32_t rows[RECORDER_MAP_COUNT];

	for (int map = 0; map < RECORDER_MAP_COUNT; map++)
		rows[map] = 7;
	map_choice_fill(rows, &needs);
	for (int map = 0; map < RECORDER_MAP_COUNT; map++)
		cr_expect_eq(rows[map], 7, "map %d", map);
}
