// SPDX-License-Identifier: GPL-2.0-only
/* From a jump backwards to the table that it reads, and to the comparison that says how long that is. */
#include "code/jump_table.h"

/* No compiler makes longer ones. */
#define LONGEST_TABLE 65536

void recent_code_add(struct recent_code *recent, const struct instruction *instruction)
{
	recent->items[recent->count++ % JUMP_TABLE_RECENT] = *instruction;
}

bool recent_code_leaves(const struct recent_code *recent)
{
	return recent->count > 1 &&
	       recent->items[(recent->count - 2) % JUMP_TABLE_RECENT].part == INSTRUCTION_UNSTACK;
}

/* The latest before number *before whose part that is, which is then there; NULL: there is none. */
static const struct instruction *find_part(const struct recent_code *recent, size_t *before,
					   enum instruction_part part, uint16_t to)
{
	size_t oldest = recent->count > JUMP_TABLE_RECENT ? recent->count - JUMP_TABLE_RECENT : 0;

	for (size_t i = *before; i > oldest; i--) {
		const struct instruction *item = &recent->items[(i - 1) % JUMP_TABLE_RECENT];

		if (item->part != part || (to && item->to != to))
			continue;
		*before = i - 1;
		return item;
	}
	return NULL;
}

/* A comparison, and right behind it the branch to what is no case. */
static const struct instruction *find_limit(const struct recent_code *recent, size_t before)
{
	while (find_part(recent, &before, INSTRUCTION_ABOVE, 0)) {
		size_t branch = before;
		const struct instruction *limit = find_part(recent, &before, INSTRUCTION_LIMIT, 0);

		if (!limit || before + 1 == branch)
			return limit;
		before = branch;
	}
	return NULL;
}

bool jump_table_find(const struct recent_code *recent, struct jump_table *table)
{
	size_t at = recent->count;
	const struct instruction *jump = find_part(recent, &at, INSTRUCTION_DEPART, 0), *sum, *load, *start,
				 *limit;
	size_t start_at, limit_at;

	if (!jump || at + 1 != recent->count)
		return false;
	sum = find_part(recent, &at, INSTRUCTION_ADD, jump->from);
	limit_at = start_at = at;
	/* Which of the two has been loaded, and which is the table's beginning, compilers do not agree about. */
	load = sum ? find_part(recent, &limit_at, INSTRUCTION_LOAD, sum->from) : NULL;
	if (!load || load->from != sum->to) {
		limit_at = at;
		load = sum ? find_part(recent, &limit_at, INSTRUCTION_LOAD, sum->to) : NULL;
	}
	if (!load || (load->from != sum->to && load->from != sum->from))
		return false;
	start = find_part(recent, &start_at, INSTRUCTION_TABLE, load->from);
	limit = find_limit(recent, limit_at);
	if (!start || !limit || limit->value >= LONGEST_TABLE)
		return false;
	*table = (struct jump_table){ start->value, (size_t)limit->value + 1 };
	return true;
}
