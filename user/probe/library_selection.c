// SPDX-License-Identifier: GPL-2.0-only
/* Selects by how the end of functions' calls is seen. */
#include "probe/library_selection.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "probe/plan_site.h"

struct selected_probe {
	uint64_t offset;
	size_t function; /* its index in the plan */
};

int library_selection_make(struct library_selection *selection, const struct plan *plan)
{
	size_t most = plan->function_count + plan->exit_count + 1;

	*selection = (struct library_selection){
		.offsets = calloc(most, sizeof(*selection->offsets)),
		.cookies = calloc(most, sizeof(*selection->cookies)),
		.probes = calloc(most, sizeof(*selection->probes)),
	};
	return selection->offsets && selection->cookies && selection->probes ? 0 : -ENOMEM;
}

void library_selection_clear(struct library_selection *selection)
{
	free(selection->offsets);
	free(selection->cookies);
	free(selection->probes);
	*selection = (struct library_selection){ 0 };
}

static bool has_link(const struct plan_function *function, enum library_link_kind kind)
{
	if (function->was_costly != (kind >= LIBRARY_LINK_WAYS))
		return false;
	return library_link_way(kind) == LIBRARY_LINK_ENTRIES || !plan_untimed(function);
}

uint32_t library_link_kinds(const struct plan_function *function)
{
	uint32_t kinds = 0;

	for (int kind = 0; kind < LIBRARY_LINK_KINDS; kind++)
		kinds |= (uint32_t)has_link(function, kind) << kind;
	return kinds;
}

static bool is_selected(const struct plan_function *function, const struct library_selecting *selecting)
{
	bool is_hooked = selecting->is_of_window ? function->is_sampled : !function->unhooked_ns;

	return function->file == selecting->file && !function->omission && is_hooked &&
	       has_link(function, selecting->kind);
}

static void add(struct library_selection *selection, size_t function, uint64_t offset)
{
	selection->probes[selection->count++] = (struct selected_probe){ offset, function };
}

static int compare_probes(const void *left, const void *right)
{
	const struct selected_probe *a = left, *b = right;

	return array_order(a->offset, b->offset) ?: array_order(a->function, b->function);
}

/* Several functions may leave by one exit: the first of them answers for what it costs. */
static void drop_doubles(struct library_selection *selection)
{
	size_t kept = 0;

	qsort(selection->probes, selection->count, sizeof(*selection->probes), compare_probes);
	for (size_t i = 0; i < selection->count; i++) {
		if (!kept || selection->probes[kept - 1].offset != selection->probes[i].offset)
			selection->probes[kept++] = selection->probes[i];
	}
	selection->count = kept;
}

void library_selection_choose(struct library_selection *selection, const struct plan *plan,
			      const struct library_selecting *selecting)
{
	bool at_exits = library_link_way(selecting->kind) == LIBRARY_LINK_EXITS;

	selection->count = 0;
	for (size_t i = selecting->first; i < plan->function_count && i < selecting->end; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (!is_selected(function, selecting))
			continue;
		if (!at_exits)
			add(selection, i, plan_site_offset(function));
		for (uint32_t at = 0; at_exits && at < function->exit_count; at++)
			add(selection, i, plan->exits[function->first_exit + at]);
	}
	if (at_exits)
		drop_doubles(selection);
	for (size_t i = 0; i < selection->count; i++) {
		uint64_t number = selection->probes[i].function + 1;
		uint64_t generation = selecting->kernel->functions[number].generation + selecting->is_next;

		selection->offsets[i] = selection->probes[i].offset;
		selection->cookies[i] = number | generation << SCALER_COOKIE_GENERATION_SHIFT;
	}
}

bool library_selection_has(const struct library_selection *selection, uint64_t offset)
{
	for (size_t i = 0; i < selection->count; i++) {
		if (selection->offsets[i] == offset)
			return true;
	}
	return false;
}

static bool has_exit(const struct plan *plan, const struct plan_function *function, uint64_t offset)
{
	for (uint32_t i = 0; i < function->exit_count; i++) {
		if (plan->exits[function->first_exit + i] == offset)
			return true;
	}
	return false;
}

void library_selection_refuse(const struct library_selection *selection, struct plan *plan,
			      const struct library_selecting *selecting, size_t index)
{
	const struct selected_probe *probe = &selection->probes[index];

	if (library_link_way(selecting->kind) != LIBRARY_LINK_EXITS) {
		plan->functions[probe->function].omission = PLAN_REFUSED;
		return;
	}
	for (size_t i = 0; i < plan->function_count; i++) {
		struct plan_function *function = &plan->functions[i];

		if (function->file == selecting->file && has_exit(plan, function, probe->offset))
			function->exit_count = 0;
	}
}
