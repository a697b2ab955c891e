// SPDX-License-Identifier: GPL-2.0-only
/* Selects by how the end of functions' calls is seen. */
#include "probe/library_selection.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "plan/plan_site.h"

struct selected_probe {
	uint64_t offset;
	size_t function; /* its index in the plan */
	bool is_entry;
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

static bool is_selected(const struct plan_function *function, const struct library_selecting *selecting)
{
	bool is_hooked =
		selecting->use == LIBRARY_LINK_WINDOW ? function->is_windowed : !function->unhooked_ns;

	return function->file == selecting->file && !function->omission && is_hooked;
}

static void add(struct library_selection *selection, size_t function, uint64_t offset, bool is_entry)
{
	selection->probes[selection->count++] = (struct selected_probe){ offset, function, is_entry };
}

static void add_exits(struct library_selection *selection, const struct plan *plan, size_t index)
{
	const struct plan_function *function = &plan->functions[index];

	for (uint32_t i = 0; i < function->exit_count; i++)
		add(selection, index, plan->exits[function->first_exit + i], false);
}

static int compare_probes(const void *left, const void *right)
{
	const struct selected_probe *a = left, *b = right;

	return array_order(a->is_entry, b->is_entry)     ?:
		       array_order(a->offset, b->offset) ?:
							   array_order(a->function, b->function);
}

/* Several functions may leave by one exit: the first of them answers for what it costs. */
static void drop_doubles(struct library_selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->count; i++) {
		const struct selected_probe *probe = &selection->probes[i];

		if (!kept || probe->is_entry || selection->probes[kept - 1].offset != probe->offset)
			selection->probes[kept++] = *probe;
	}
	selection->count = kept;
}

static uint64_t cookie_of(const struct selected_probe *probe, const struct library_selecting *selecting)
{
	uint64_t number = probe->function + 1;
	uint64_t generation = selecting->kernel->functions[number].generation + selecting->is_next;
	uint64_t bits = probe->is_entry ? 0 : SCALER_COOKIE_EXIT;

	if (selecting->use == LIBRARY_LINK_SCREEN)
		bits |= SCALER_COOKIE_SCREENS;
	return number | bits | generation << SCALER_COOKIE_GENERATION_SHIFT;
}

void library_selection_choose(struct library_selection *selection, const struct plan *plan,
			      const struct library_selecting *selecting)
{
	selection->count = 0;
	for (size_t i = selecting->first; i < plan->function_count && i < selecting->end; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (!is_selected(function, selecting))
			continue;
		add(selection, i, plan_site_offset(function), true);
		if (selecting->use != LIBRARY_LINK_SCREEN && !plan_untimed(function))
			add_exits(selection, plan, i);
	}
	qsort(selection->probes, selection->count, sizeof(*selection->probes), compare_probes);
	drop_doubles(selection);
	for (size_t i = 0; i < selection->count; i++) {
		selection->offsets[i] = selection->probes[i].offset;
		selection->cookies[i] = cookie_of(&selection->probes[i], selecting);
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

	if (probe->is_entry) {
		plan->functions[probe->function].omission = PLAN_REFUSED;
		return;
	}
	for (size_t i = 0; i < plan->function_count; i++) {
		struct plan_function *function = &plan->functions[i];

		if (function->file == selecting->file && has_exit(plan, function, probe->offset))
			function->exit_count = 0;
	}
}
