// SPDX-License-Identifier: GPL-2.0-only
/* A file's code is only read if some function's exits are not kept from an earlier run. */
#include "plan/call_exits.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "parser/code.h"
#include "plan/exit_cache.h"

#define AT_ONCE_NS 40000000

static bool is_wanted(const struct plan_function *function, uint32_t file)
{
	return function->file == file && !function->omission && !function->knows_exits && !function->untimed;
}

/* No question to the parser is to take longer, or it would be ended. */
#define QUESTION_NS 2000000000

/* The search through one file. */
struct exit_search {
	struct plan *plan;
	const struct linked_file *file;
	uint32_t number;
	int fd;
	uint64_t end_ns; /* then no more code is followed */
	struct exit_cache cache;
};

static int add_exit(struct exit_search *search, uint64_t address)
{
	struct plan *plan = search->plan;
	const struct elf_segment *segment = elf_segments_find(&search->file->linkage.segments, address);
	uint64_t *exits = array_reserve(plan->exits, plan->exit_count, &plan->exit_capacity, sizeof(*exits));

	if (!exits)
		return -ENOMEM;
	plan->exits = exits;
	exits[plan->exit_count++] = address - segment->address + segment->offset;
	return 0;
}

static int add_exits(struct exit_search *search, struct plan_function *function,
		     const struct code_exits *exits)
{
	int err = 0;

	function->knows_exits = true;
	function->first_exit = (uint32_t)search->plan->exit_count;
	for (size_t i = 0; i < exits->count && !err; i++)
		err = add_exit(search, exits->items[i]);
	if (err)
		return err;
	function->exit_count = (uint32_t)exits->count;
	function->jumps_on = exits->jumps_on;
	return 0;
}

/* Those that an earlier run has kept may be anything. */
static bool are_code(const struct exit_search *search, const struct code_exits *exits)
{
	for (size_t i = 0; i < exits->count; i++) {
		if (!elf_segments_find(&search->file->linkage.segments, exits->items[i]))
			return false;
	}
	return true;
}

static int take(struct exit_search *search, struct plan_function *function, const struct code_exits *exits)
{
	static const struct code_exits none;

	return add_exits(search, function, are_code(search, exits) ? exits : &none);
}

/* Those that are kept, and those of what is no code. */
static int take_known(struct exit_search *search, struct plan_function *function)
{
	struct code_exits exits = { 0 };
	uint64_t address;

	if (elf_segments_address(&search->file->linkage.segments, function->offset, &address) &&
	    !exit_cache_find(&search->cache, address, &exits))
		return 0;
	return take(search, function, &exits);
}

/* Functions whose code is to be followed. */
struct unknown_exits {
	uint64_t *addresses; /* owned, as are the next */
	uint32_t *functions; /* their numbers */
	struct code_exits *found;
	size_t count;
};

static int collect_unknown(const struct exit_search *search, struct unknown_exits *unknown)
{
	const struct plan *plan = search->plan;

	unknown->addresses = calloc(plan->function_count + 1, sizeof(*unknown->addresses));
	unknown->functions = calloc(plan->function_count + 1, sizeof(*unknown->functions));
	unknown->found = calloc(plan->function_count + 1, sizeof(*unknown->found));
	if (!unknown->addresses || !unknown->functions || !unknown->found)
		return -ENOMEM;
	for (size_t i = 0; i < plan->function_count; i++) {
		if (!is_wanted(&plan->functions[i], search->number) ||
		    !elf_segments_address(&search->file->linkage.segments, plan->functions[i].offset,
					  &unknown->addresses[unknown->count]))
			continue;
		unknown->functions[unknown->count++] = (uint32_t)i;
	}
	return 0;
}

/* Those of the next functions, as many as the parser has time for. */
static int follow_some(struct exit_search *search, const struct unknown_exits *unknown, size_t *at)
{
	uint64_t now_ns = clock_now_ns(), left_ns = search->end_ns > now_ns ? search->end_ns - now_ns : 0;
	static const struct code_exits none;
	size_t found = 0;
	int err =
		parser_find_exits(parser_shared(), search->fd, unknown->addresses + *at, unknown->count - *at,
				  left_ns < QUESTION_NS ? left_ns : QUESTION_NS, unknown->found, &found);

	if (!err && !found)
		err = -EPROTO;
	for (size_t i = 0; i < found && !err; i++) {
		err = exit_cache_add(&search->cache, unknown->addresses[*at], &unknown->found[i]) ?:
			      take(search, &search->plan->functions[unknown->functions[*at]],
				   &unknown->found[i]);
		++*at;
	}
	/* What could not be answered is not asked again. */
	for (; err && err != -ENOMEM && *at < unknown->count; ++*at)
		take(search, &search->plan->functions[unknown->functions[*at]], &none);
	return err;
}

static int follow_unknown(struct exit_search *search)
{
	struct unknown_exits unknown = { 0 };
	int err = collect_unknown(search, &unknown);

	for (size_t at = 0; at < unknown.count && !err && clock_now_ns() < search->end_ns;)
		err = follow_some(search, &unknown, &at);
	free(unknown.addresses);
	free(unknown.functions);
	free(unknown.found);
	return err;
}

static int search_file(struct exit_search *search)
{
	int err = exit_cache_open(&search->cache, search->file, search->fd);

	for (size_t i = 0; i < search->plan->function_count && !err; i++) {
		if (is_wanted(&search->plan->functions[i], search->number))
			err = take_known(search, &search->plan->functions[i]);
	}
	err = err ?: follow_unknown(search);
	exit_cache_close(&search->cache);
	return err;
}

static bool is_any_wanted(const struct plan *plan, uint32_t file)
{
	for (size_t i = 0; i < plan->function_count; i++) {
		if (is_wanted(&plan->functions[i], file))
			return true;
	}
	return false;
}

int call_exits_find(struct plan *plan, const struct linked_file *file, uint32_t number, int fd, bool at_once)
{
	struct exit_search search = {
		.plan = plan,
		.file = file,
		.number = number,
		.fd = fd,
		.end_ns = at_once ? clock_now_ns() + AT_ONCE_NS : UINT64_MAX,
	};
	int err = fd >= 0 && is_any_wanted(plan, number) ? search_file(&search) : 0;

	/* Of code that is not known nothing is found. */
	return err == -ENOMEM ? err : 0;
}
