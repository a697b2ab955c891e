// SPDX-License-Identifier: GPL-2.0-only
/* The names of the kernel's functions: one pass over all, because few are asked for. */
#include "target/kernel_symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/component.h>

#include "base/array.h"
#include "base/kernel_file.h"

/* No function is larger; what is further from the last symbol before it has none. */
#define FUNCTION_LIMIT (128 << 10)

struct candidate {
	uint64_t start; /* 0: none yet */
	char *name;     /* owned */
};

/* A line is "ADDRESS TYPE NAME", or more. Returns 0 or -ENOMEM; *any: some address is shown. */
static int take_line(char *line, const uint64_t *addresses, size_t count, struct candidate *candidates,
		     bool *any)
{
	char *at, *name;
	uint64_t start = scaler_site_offset(strtoull(line, &at, 16));
	size_t index = array_count_below(addresses, count, sizeof(*addresses), start);

	*any |= start != 0;
	/* Code: in the kernel's text, or weak. */
	if (!start || *at != ' ' || !strchr("tTwW", at[1]) || at[2] != ' ' || index == count ||
	    start <= candidates[index].start)
		return 0;
	at[3 + strcspn(at + 3, " \t\n")] = '\0';
	name = strdup(at + 3);
	if (!name)
		return -ENOMEM;
	free(candidates[index].name);
	candidates[index].start = start;
	candidates[index].name = name;
	return 0;
}

static int read_lines(FILE *file, const uint64_t *addresses, size_t count, struct candidate *candidates)
{
	char *line = NULL;
	size_t size = 0;
	bool any = false;
	int err = 0;

	while (!err && getline(&line, &size, file) > 0)
		err = take_line(line, addresses, count, candidates, &any);
	free(line);
	return err ?: any ? 0 : -EPERM;
}

/* Each address has the last symbol that is not above it, be it below an address before. */
static int choose_names(const uint64_t *addresses, size_t count, const struct candidate *candidates,
			char **names)
{
	const struct candidate *last = candidates;

	for (size_t i = 0; i < count; i++) {
		if (candidates[i].start >= last->start)
			last = &candidates[i];
		if (!last->start || addresses[i] - last->start >= FUNCTION_LIMIT)
			continue;
		names[i] = strdup(last->name);
		if (!names[i])
			return -ENOMEM;
	}
	return 0;
}

int kernel_symbols_find(const uint64_t *addresses, size_t count, char **names)
{
	struct candidate *candidates = calloc(count + 1, sizeof(*candidates));
	FILE *file = kernel_file_read("/proc/kallsyms");
	int err = file ? 0 : -errno;

	if (!candidates)
		err = -ENOMEM;
	if (!err)
		err = read_lines(file, addresses, count, candidates);
	if (!err)
		err = choose_names(addresses, count, candidates, names);
	for (size_t i = 0; candidates && i < count; i++)
		free(candidates[i].name);
	free(candidates);
	if (file)
		fclose(file);
	return err;
}

/* The kernel's own symbols ascend, so that a function ends where the next line has another address. */
struct code_search {
	const char *const *names;
	size_t count;
	struct scaler_code_range *ranges;
	size_t found;
	bool is_open; /* the last one that was found has no end yet */
};

static bool is_searched(const struct code_search *search, const char *name)
{
	for (size_t i = 0; i < search->count; i++) {
		if (!strcmp(search->names[i], name))
			return true;
	}
	return false;
}

static void search_line(struct code_search *search, char *line)
{
	char *at, *name;
	uint64_t start = strtoull(line, &at, 16);
	struct scaler_code_range *last = search->found ? &search->ranges[search->found - 1] : NULL;

	if (search->is_open && start != last->start) {
		last->end = start > last->start && start - last->start < FUNCTION_LIMIT ?
				    start :
				    last->start + FUNCTION_LIMIT;
		search->is_open = false;
	}
	if (!start || *at != ' ' || !strchr("tTwW", at[1]) || at[2] != ' ' || search->is_open ||
	    search->found == search->count)
		return;
	name = at + 3;
	/* Names of modules, which come last, stand behind a tab. */
	name[strcspn(name, " \n")] = '\0';
	if (!is_searched(search, name))
		return;
	search->ranges[search->found++] = (struct scaler_code_range){ start, start };
	search->is_open = true;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct scaler_code_range *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

ssize_t kernel_symbols_find_code(const char *const *names, size_t count, struct scaler_code_range *ranges)
{
	struct code_search search = { .names = names, .count = count, .ranges = ranges };
	FILE *file = kernel_file_read("/proc/kallsyms");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		return -errno;
	while (getline(&line, &size, file) > 0)
		search_line(&search, line);
	free(line);
	fclose(file);
	qsort(ranges, search.found, sizeof(*ranges), compare_ranges);
	return (ssize_t)search.found;
}
