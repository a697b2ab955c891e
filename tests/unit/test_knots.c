// SPDX-License-Identifier: GPL-2.0-only
/* Knots of wait-for graphs: known ones, and those of thousands of seeds against reachability by squaring. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/knots.h"
#include "base/array.h"

#define NODES 9
#define SEEDS 5000

/* Members of one knot have one number, other knots another. */
static void expect(const uint32_t *knots, const char *wanted)
{
	for (size_t i = 0; wanted[i]; i++) {
		cr_expect_eq(!knots[i], wanted[i] == '-', "%s: node %zu in %u", wanted, i, knots[i]);
		for (size_t j = 0; j < i; j++)
			cr_expect_eq(wanted[i] == wanted[j], knots[i] == knots[j], "%s: nodes %zu, %zu",
				     wanted, i, j);
	}
}

Test(knots, known)
{
	/* Both of 0 and 1 wait for a circle of 2, 3, 4; 3 a little for 5, and 6 for itself. Nobody waits for 7. */
	struct knot_edge edges[] = { { 0, 2, 50 }, { 1, 0, 70 }, { 2, 3, 100 }, { 3, 4, 90 },
				     { 4, 2, 80 }, { 3, 5, 1 },  { 6, 6, 10 } };
	struct knot_edge again[ARRAY_SIZE(edges)];
	uint32_t knots[8];

	memcpy(again, edges, sizeof(edges));
	cr_assert_eq(knots_find(edges, ARRAY_SIZE(edges), 8, 2, knots), 0);
	expect(knots, "--aaa-b-");
	cr_assert_eq(knots_find(again, ARRAY_SIZE(again), 8, 1, knots), 0);
	expect(knots, "-----ab-");
	cr_assert_eq(knots_find(again, 0, 8, 0, knots), 0);
	expect(knots, "--------");
}

static void check_seed(unsigned int seed)
{
	struct knot_edge edges[2 * NODES];
	bool reaches[NODES][NODES] = { 0 }, has_edge[NODES] = { 0 };
	size_t count = (size_t)rand_r(&seed) % ARRAY_SIZE(edges);
	uint32_t knots[NODES];

	for (size_t i = 0; i < count; i++) {
		edges[i] =
			(struct knot_edge){ (uint32_t)rand_r(&seed) % NODES, (uint32_t)rand_r(&seed) % NODES,
					    (uint64_t)rand_r(&seed) % 10 };
		if (edges[i].weight < 3)
			continue;
		reaches[edges[i].from][edges[i].to] = true;
		has_edge[edges[i].from] = has_edge[edges[i].to] = true;
	}
	for (size_t k = 0; k < NODES; k++)
		for (size_t i = 0; i < NODES; i++)
			for (size_t j = 0; j < NODES; j++)
				reaches[i][j] |= reaches[i][k] && reaches[k][j];
	cr_assert_eq(knots_find(edges, count, NODES, 3, knots), 0);
	for (size_t i = 0; i < NODES; i++) {
		bool is_in_knot = has_edge[i];

		for (size_t j = 0; j < NODES; j++)
			is_in_knot &= !reaches[i][j] || reaches[j][i];
		cr_assert_eq(knots[i] != 0, is_in_knot, "node %zu", i);
		for (size_t j = 0; j < NODES && is_in_knot; j++)
			cr_assert_eq(knots[i] == knots[j], i == j || (reaches[i][j] && reaches[j][i]),
				     "nodes %zu, %zu", i, j);
	}
}

Test(knots, seeds)
{
	for (unsigned int seed = 1; seed <= SEEDS; seed++)
		check_seed(seed);
}
