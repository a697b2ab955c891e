// SPDX-License-Identifier: GPL-2.0-only
/* The unwind rules of sites. */
#include "target/code_rules.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/unwind_table.h"
#include "target/debug_file.h"

static struct scaler_unwind_rule cannot(enum scaler_unwind_problem problem)
{
	return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_CANNOT, .cfa_offset = (__s32)problem };
}

/* Where the site is, or would be put. There is always a free slot. */
static struct known_rule *find_slot(struct known_rule *known, size_t size, uint64_t site)
{
	size_t at =
		(size_t)((site * 0x9E3779B97F4A7C15ULL) >> 32); /* 2^64 / phi, Knuth's multiplicative hash */

	while (known[at & (size - 1)].site && known[at & (size - 1)].site != site)
		at++;
	return &known[at & (size - 1)];
}

/* Room for one more, and as much again. */
static int reserve(struct code_rules *rules)
{
	size_t size = rules->known_size ? 2 * rules->known_size : 1024;
	struct known_rule *known;

	if (2 * (rules->known_count + 1) < rules->known_size)
		return 0;
	known = calloc(size, sizeof(*known));
	if (!known)
		return -ENOMEM;
	for (size_t i = 0; i < rules->known_size; i++) {
		if (rules->known[i].site)
			*find_slot(known, size, rules->known[i].site) = rules->known[i];
	}
	free(rules->known);
	rules->known = known;
	rules->known_size = size;
	return 0;
}

/* Only one that is installed: servers would be waited for. A descriptor, or a negative errno. */
static int open_debug_file(int fd)
{
	struct debug_link link = { 0 };
	struct elf_file file;

	if (elf_file_open(&file, fd))
		return -ENOENT;
	debug_link_read(&link, &file);
	elf_file_close(&file);
	return debug_file_open_installed(&link);
}

static struct unwind_table *open_table(struct code_rules *rules, const struct scaler_component *description)
{
	struct unwind_table *table;
	int fd = rules->open_file(rules->context, description), debug_fd;

	if (fd < 0)
		return NULL;
	debug_fd = open_debug_file(fd);
	unwind_table_open(&table, fd, debug_fd);
	close(fd);
	if (debug_fd >= 0)
		close(debug_fd);
	return table;
}

/* The component's table, or NULL. */
static struct unwind_table *get_table(struct code_rules *rules, uint32_t number)
{
	struct scaler_component description;

	if (!rules->tables) {
		rules->tables = calloc(SCALER_COMPONENT_LIMIT, sizeof(struct unwind_table *));
		rules->tried = calloc(SCALER_COMPONENT_LIMIT, sizeof(*rules->tried));
		if (!rules->tables || !rules->tried)
			return NULL;
	}
	if (!rules->tried[number] && rules->describe(rules->context, number, &description))
		rules->tables[number] = open_table(rules, &description);
	rules->tried[number] = true;
	return rules->tables[number];
}

static struct scaler_unwind_rule find_rule(struct code_rules *rules, uint64_t site, bool in_call)
{
	struct unwind_table *table = get_table(rules, scaler_site_component(site));
	struct scaler_unwind_rule rule =
		table ? unwind_table_find_offset(table, scaler_site_offset(site), in_call) :
			cannot(SCALER_UNWIND_NO_FILE);

	/* What no table describes may have been compiled with frame pointers. */
	if (rule.kind == SCALER_UNWIND_CANNOT && rule.cfa_offset <= SCALER_UNWIND_NOT_COVERED)
		return table ? unwind_table_frame_pointer(table, scaler_site_offset(site)) :
			       (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_FRAME_POINTER };
	return rule;
}

struct scaler_unwind_rule code_rules_find_interrupted(struct code_rules *rules, uint64_t site)
{
	return find_rule(rules, site, false);
}

struct scaler_unwind_rule code_rules_find(struct code_rules *rules, uint64_t site)
{
	struct known_rule *known;

	if (reserve(rules))
		return cannot(SCALER_UNWIND_NO_FILE);
	known = find_slot(rules->known, rules->known_size, site);
	if (known->site)
		return known->rule;
	*known = (struct known_rule){ site, find_rule(rules, site, true) };
	rules->known_count++;
	rules->learned(rules->context, site, known->rule);
	return known->rule;
}

bool code_rules_read(struct code_rules *rules, uint64_t site, uint64_t *word)
{
	struct unwind_table *table = get_table(rules, scaler_site_component(site));

	return table && unwind_table_read(table, scaler_site_offset(site), word);
}

void code_rules_clear(struct code_rules *rules)
{
	for (uint32_t i = 0; rules->tables && i < SCALER_COMPONENT_LIMIT; i++)
		unwind_table_close(rules->tables[i]);
	free(rules->tables);
	free(rules->tried);
	free(rules->known);
	*rules = (struct code_rules){ 0 };
}
