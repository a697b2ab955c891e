// SPDX-License-Identifier: GPL-2.0-only
/* From the options that choose library functions to probes on them. */
#include "cmd/library_setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cmd/target_setup.h"
#include "probe/features.h"
#include "target/component.h"
#include "target/demangle.h"

/* What reports call the functions; they may yet be omitted. */
static int name_functions(struct library_setup *setup)
{
	const struct plan *plan = &setup->plan;

	setup->functions.items = calloc(plan->function_count + 1, sizeof(*setup->functions.items));
	if (!setup->functions.items)
		return -ENOMEM;
	setup->functions.count = plan->function_count;
	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];
		const struct plan_name *name = &plan->names[function->first_name];

		setup->functions.items[i] = (struct library_function){
			.library = component_name(&setup->files.items[function->file].component),
			.symbol = name->name,
			.name = demangle(name->name) ?: strdup(name->name),
			.version = name->is_default || !*name->version ? NULL : name->version,
		};
		if (!setup->functions.items[i].name)
			return -ENOMEM;
	}
	return 0;
}

int library_setup_plan(struct library_setup *setup, const struct options *options)
{
	int err;

	if (!options->chooses_functions)
		return 0;
	if (!features_uprobe_multi()) {
		log_error("cannot count library calls: this kernel has no uprobe_multi; use Linux 6.6 or "
			  "later");
		return -EOPNOTSUPP;
	}
	err = target_setup_files(&options->target, &setup->files);
	if (err)
		return err;
	err = plan_make(&setup->plan, &setup->files, &options->plan) ?: name_functions(setup);
	if (err)
		log_error("cannot choose library functions: %s", strerror(-err));
	else if (!setup->plan.function_count)
		log_note("no library function is chosen: --list shows which there are");
	else if (options->target.command)
		err = file_mappings_make(&setup->mappings, &setup->files);
	return err;
}

/* How many processes those probes are in that are not asked for by number. */
static void tell_processes(const struct library_setup *setup)
{
	for (size_t i = 0, at = 0; i < setup->files.count; i++) {
		const struct linked_file *file = &setup->files.items[i];
		size_t first = at;

		while (at < setup->plan.function_count && setup->plan.functions[at].file == i)
			at++;
		if (at > first)
			log_note("%zu functions of %s are probed in every process; %zu have it mapped now",
				 at - first, component_name(&file->component), file->process_count);
	}
}

int library_setup_attach(struct library_setup *setup, const struct options *options,
			 const struct recorder *recorder, pid_t command)
{
	const struct library_places places = {
		.command = command,
		.everywhere = target_setup_is_everything(&options->target),
		.returns = options->probes_returns,
	};
	const struct library_programs programs = recorder_library_programs(recorder);
	int err;

	if (!setup->plan.function_count)
		return 0;
	if (places.everywhere)
		tell_processes(setup);
	err = library_probes_attach(&setup->probes, &programs, &setup->plan, &setup->files, &places);
	file_mappings_clear(&setup->mappings);
	if (err)
		log_error("cannot probe library functions: %s", strerror(-err));
	for (size_t i = 0; i < setup->plan.function_count; i++) {
		const struct plan_function *function = &setup->plan.functions[i];

		setup->functions.items[i].omitted = plan_omission_text(function->omission);
		setup->functions.items[i].untimed = plan_untimed_text(function->untimed);
	}
	return err;
}

const struct library_functions *library_setup_functions(const struct library_setup *setup)
{
	return setup->functions.items ? &setup->functions : NULL;
}

void library_setup_clear(struct library_setup *setup)
{
	library_probes_detach(&setup->probes);
	file_mappings_clear(&setup->mappings);
	for (size_t i = 0; i < setup->functions.count; i++)
		free(setup->functions.items[i].name);
	free(setup->functions.items);
	plan_clear(&setup->plan);
	linked_files_clear(&setup->files);
	*setup = (struct library_setup){ 0 };
}
