// SPDX-License-Identifier: GPL-2.0-only
/* Functions with probes: sort those of the plan by their names, look the walked ones up among them. */
#include "analysis/probed_functions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A function with probes; several may have one name, as versions of a symbol or of a file. */
struct probed {
	const struct library_function *function; /* NULL: what is looked for */
	const char *library;
	const char *name;
	const struct library_row *row; /* NULL: it was not called */
};

static int compare_names(const void *left, const void *right)
{
	const struct probed *a = left, *b = right;

	return strcmp(a->name, b->name) ?: strcmp(a->library, b->library);
}

/* By its name, and by those of its symbols that others use as they are. */
static void add_names(struct probed *probed, size_t *count, const struct library_function *function,
		      const struct library_row *row)
{
	probed[(*count)++] = (struct probed){ function, function->library, function->name, row };
	for (size_t i = 0; i < function->alias_count; i++) {
		if (strcmp(function->aliases[i], function->name) &&
		    (!i || strcmp(function->aliases[i], function->aliases[i - 1])))
			probed[(*count)++] =
				(struct probed){ function, function->library, function->aliases[i], row };
	}
}

/* All that have probes, by name; NULL without memory. The caller frees the array. */
static struct probed *list_probed(const struct library_summary *library, size_t *count)
{
	const struct library_functions *functions = library->functions;
	const struct library_row **rows = calloc(functions->count + 1, sizeof(struct library_row *));
	struct probed *probed;
	size_t most = 1;

	for (size_t i = 0; i < functions->count; i++)
		most += 1 + functions->items[i].alias_count;
	probed = calloc(most, sizeof(*probed));
	for (size_t i = 0; i < library->row_count && rows; i++)
		rows[library->rows[i].function - functions->items] = &library->rows[i];
	*count = 0;
	for (size_t i = 0; i < functions->count && probed && rows; i++) {
		const struct library_function *function = &functions->items[i];

		if (!function->omitted)
			add_names(probed, count, function, rows[i]);
	}
	if (!rows) {
		free(probed);
		return NULL;
	}
	free(rows);
	if (probed)
		qsort(probed, *count, sizeof(*probed), compare_names);
	return probed;
}

/* What one of the function's name adds to it, if it lies in the same component. */
static void add_probed(struct function_row *row, const struct place *place, const struct probed *probed)
{
	if (probed->row && probed->row->component != PLACE_NONE && probed->row->component != place->component)
		return;
	row->is_probed = true;
	row->is_probed_in_part |= !probed->function->is_sampled &&
				  (probed->function->since_ns || probed->function->unhooked_ns);
	if (probed->row)
		library_figures_add_sum(&row->probed, &probed->row->figures);
}

static void find_row(struct function_row *row, const struct places *places, const struct probed *probed,
		     size_t count)
{
	const struct place *place;
	const struct probed *found;
	struct probed wanted;

	if (row->path.entered == PLACE_NONE)
		return;
	place = &places->items[row->path.entered];
	wanted = (struct probed){ .library = places->components[place->component].name,
				  .name = place->function };
	if (!wanted.name || !count)
		return;
	found = bsearch(&wanted, probed, count, sizeof(*probed), compare_names);
	if (!found)
		return;
	while (found > probed && !compare_names(found - 1, &wanted))
		found--;
	for (; found < probed + count && !compare_names(found, &wanted); found++)
		add_probed(row, place, found);
}

int probed_functions_find(const struct library_summary *library, const struct places *places,
			  struct function_summary *summary)
{
	struct probed *probed;
	size_t count;

	if (!library->functions)
		return 0;
	probed = list_probed(library, &count);
	if (!probed)
		return -ENOMEM;
	for (size_t i = 0; i < summary->row_count; i++)
		find_row(&summary->rows[i], places, probed, count);
	free(probed);
	return 0;
}
