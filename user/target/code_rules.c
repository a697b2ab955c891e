// SPDX-License-Identifier: GPL-2.0-only
/* The unwind rules of sites. */
#include "target/code_rules.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "target/debug_file.h"

static struct scaler_unwind_rule cannot(enum scaler_unwind_problem problem)
{
	return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_CANNOT, .cfa_offset = (__s32)problem };
}

/* Where the site is, or would be put. There is always a free slot. */
static struct known_site *find_slot(struct known_site *known, size_t size, uint64_t site)
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
	struct known_site *known;

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

static int open_file(struct code_rules *rules, const struct scaler_component *description,
		     struct parser_table *table)
{
	int fd = rules->open_file(rules->context, description), debug_fd, err;

	if (fd < 0)
		return fd;
	debug_fd = open_debug_file(fd);
	err = parser_open_table(rules->parser, fd, debug_fd, table);
	close(fd);
	if (debug_fd >= 0)
		close(debug_fd);
	return err;
}

static void try_file(struct code_rules *rules, uint32_t number)
{
	struct rules_file *file = &rules->files[number];
	struct scaler_component description;

	file->is_open = rules->describe(rules->context, number, &description) &&
			!open_file(rules, &description, &file->table);
	file->tried = true;
}

/* The component's file; NULL: it cannot be read. */
static struct rules_file *get_file(struct code_rules *rules, uint32_t number)
{
	if (!rules->files)
		rules->files = calloc(SCALER_COMPONENT_LIMIT, sizeof(*rules->files));
	if (!rules->files)
		return NULL;
	if (!rules->files[number].tried)
		try_file(rules, number);
	return rules->files[number].is_open ? &rules->files[number] : NULL;
}

/* What is asked of a file at an offset, with room for the answer. */
typedef int (*question_function)(struct parser *parser, const struct parser_table *table,
				 uint64_t file_offset, void *answer);

/* A parser that was started again is given the file again. One whose question was its end is asked for nothing more. */
static int ask(struct code_rules *rules, uint64_t site, question_function question, void *answer)
{
	struct rules_file *file = get_file(rules, scaler_site_component(site));
	int err = file ? question(rules->parser, &file->table, scaler_site_offset(site), answer) : -ENOENT;

	if (err == -ESTALE) {
		try_file(rules, scaler_site_component(site));
		if (file->is_open)
			err = question(rules->parser, &file->table, scaler_site_offset(site), answer);
	}
	if (file && err && err != -ENODATA)
		file->is_open = false;
	return err;
}

static int ask_rule_in_call(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
			    void *answer)
{
	return parser_find_rule(parser, table, file_offset, PARSER_RULE_IN_CALL, answer);
}

static int ask_rule_interrupted(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
				void *answer)
{
	return parser_find_rule(parser, table, file_offset, PARSER_RULE_INTERRUPTED, answer);
}

static int ask_code(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
		    void *answer)
{
	return parser_read_code(parser, table, file_offset, answer);
}

static struct scaler_unwind_rule find_rule(struct code_rules *rules, uint64_t site,
					   question_function question)
{
	struct scaler_unwind_rule rule;

	/* What no file describes may have been compiled with frame pointers. */
	if (ask(rules, site, question, &rule))
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_FRAME_POINTER };
	return rule;
}

/* NULL without memory. */
static struct known_site *get_site(struct code_rules *rules, uint64_t site)
{
	struct known_site *known;

	if (reserve(rules))
		return NULL;
	known = find_slot(rules->known, rules->known_size, site);
	if (!known->site) {
		known->site = site;
		rules->known_count++;
	}
	return known;
}

struct scaler_unwind_rule code_rules_find_interrupted(struct code_rules *rules, uint64_t site)
{
	struct known_site *known = get_site(rules, site);

	if (!known)
		return cannot(SCALER_UNWIND_NO_FILE);
	if (!known->has_interrupted)
		known->interrupted = find_rule(rules, site, ask_rule_interrupted);
	known->has_interrupted = true;
	return known->interrupted;
}

struct scaler_unwind_rule code_rules_find(struct code_rules *rules, uint64_t site)
{
	struct known_site *known = get_site(rules, site);

	if (!known)
		return cannot(SCALER_UNWIND_NO_FILE);
	if (known->has_in_call)
		return known->in_call;
	known->in_call = find_rule(rules, site, ask_rule_in_call);
	known->has_in_call = true;
	rules->rule_count++;
	rules->learned(rules->context, site, known->in_call);
	return known->in_call;
}

bool code_rules_read(struct code_rules *rules, uint64_t site, uint64_t *word)
{
	struct known_site *known = get_site(rules, site);

	if (!known)
		return false;
	if (!known->has_word)
		known->is_code = !ask(rules, site, ask_code, &known->word);
	known->has_word = true;
	if (known->is_code)
		*word = known->word;
	return known->is_code;
}

void code_rules_clear(struct code_rules *rules)
{
	free(rules->files);
	free(rules->known);
	*rules = (struct code_rules){ 0 };
}
