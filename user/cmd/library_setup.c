// SPDX-License-Identifier: GPL-2.0-only
/* From the options that choose library functions to probes on them. */
#include "cmd/library_setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/target_setup.h"
#include "probe/features.h"
#include "probe/mapped_file.h"
#include "target/component.h"

/* NULL without memory. */
static const char **list_aliases(const struct plan *plan, const struct plan_function *function)
{
	const char **aliases = calloc(function->name_count, sizeof(*aliases));

	for (uint32_t i = 0; i < function->name_count && aliases; i++)
		aliases[i] = plan->names[function->first_name + i].name;
	return aliases;
}

/* What reports call the functions that have no name yet; they may yet be omitted. */
static int name_functions(struct library_setup *setup)
{
	struct library_functions *functions = &setup->functions;
	const struct plan *plan = &setup->plan;
	struct library_function *items =
		reallocarray(functions->items, plan->function_count + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	functions->items = items;
	while (functions->count < plan->function_count) {
		const struct plan_function *function = &plan->functions[functions->count];
		const struct plan_name *name = &plan->names[function->first_name];
		const char **aliases = list_aliases(plan, function);
		char *readable = strdup(name->readable);

		if (!readable || !aliases) {
			free(readable);
			free(aliases);
			return -ENOMEM;
		}
		items[functions->count++] = (struct library_function){
			.symbol = name->name,
			.name = readable,
			.aliases = aliases,
			.alias_count = function->name_count,
			.version = name->is_default || !*name->version ? NULL : name->version,
		};
	}
	/* The files move when others are added. */
	for (size_t i = 0; i < plan->function_count; i++)
		items[i].library = component_name(&setup->files.items[plan->functions[i].file].component);
	return 0;
}

/* More functions than there are now, but no more than so much memory of the kernel side. */
#define FOLLOWED_FUNCTIONS_MAX 8192
#define FOLLOWED_COSTS_BYTES   (32 << 20)

size_t library_setup_capacity(const struct library_setup *setup)
{
	size_t row_bytes = sizeof(struct scaler_function_cost) * (size_t)sysconf(_SC_NPROCESSORS_CONF);
	size_t more = FOLLOWED_COSTS_BYTES / row_bytes;

	if (!setup->follows)
		return setup->plan.function_count;
	return setup->plan.function_count + (more < FOLLOWED_FUNCTIONS_MAX ? more : FOLLOWED_FUNCTIONS_MAX);
}

static int plan_functions(struct library_setup *setup, const struct options *options)
{
	int err = mapped_file_open(&setup->files);

	if (err)
		log_debug("cannot ask which files the kernel maps: %s", strerror(-err));
	err = target_setup_files(&options->target, &setup->files);
	if (err)
		return err;
	err = plan_make(&setup->plan, &setup->files, &options->plan) ?: name_functions(setup);
	if (err)
		log_error("cannot choose library functions: %s", strerror(-err));
	else if (!setup->plan.function_count && !setup->follows)
		log_note("no library function is chosen: --list shows which there are");
	if (!err && options->target.command)
		err = file_mappings_make(&setup->mappings, &setup->files);
	return err;
}

int library_setup_plan(struct library_setup *setup, const struct options *options)
{
	if (!options->probes)
		return 0;
	if (!features_have(FEATURE_FIND_VMA)) {
		log_error(
			"cannot count library calls: this kernel does not tell who calls; use Linux 5.17 or "
			"later");
		return -EOPNOTSUPP;
	}
	setup->follows = options->target.follow && !target_setup_is_everything(&options->target);
	return plan_functions(setup, options);
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

/* Without a measurement, which takes as much as the probes themselves, these cost nothing, and nothing is taken out. */
static void measure_costs(struct library_setup *setup)
{
	const struct library_kernel *kernel = setup->probes.kernel;
	const struct probe_cost_program program = { kernel->nothing_fd, kernel->nothing_least_ns };
	int err = probe_cost_measure(&setup->probes.costs, &program, &setup->probes.cost_links);

	if (err)
		log_note("cannot measure what a probe costs: %s", strerror(-err));
}

/* Without memory for them, nothing is said. */
static void note_refused(struct library_setup *setup)
{
	const struct probe_refusals *refusals = &setup->probes.refusals;
	struct library_refused *items =
		reallocarray(setup->functions.refused, refusals->told_count + 1, sizeof(*items));

	setup->functions.refused_count = items ? refusals->told_count : 0;
	if (!items)
		return;
	setup->functions.refused = items;
	for (size_t i = 0; i < refusals->told_count; i++) {
		const struct probe_refused *told = &refusals->told[i];

		items[i] = (struct library_refused){
			.program = told->program,
			.library = told->file == PROBE_REFUSAL_ALL_FILES ?
					   NULL :
					   component_name(&setup->files.items[told->file].component),
			.reason = probe_refusal_text(told->reason),
			.processes = told->processes,
		};
	}
}

/* What reports say of the functions' probes. */
static void note_functions(struct library_setup *setup)
{
	const struct follower_counts *counts = &setup->follower.counts;
	size_t missed = library_follower_count_missed(&setup->follower);

	for (size_t i = 0; i < setup->plan.function_count; i++) {
		const struct plan_function *function = &setup->plan.functions[i];

		setup->functions.items[i].omitted = plan_omission_text(function->omission);
		setup->functions.items[i].untimed = plan_untimed_text(plan_untimed(function));
		setup->functions.items[i].unhooked_ns = function->unhooked_ns;
		setup->functions.items[i].is_sampled = function->is_sampled && !function->omission;
		setup->functions.items[i].since_ns = function->since_ns;
	}
	note_refused(setup);
	setup->functions.coverage = (struct library_coverage){
		.followed = counts->followed,
		/* Nobody follows any more. */
		.ended = counts->ended + follow_queue_count_begun(&setup->follower.queue),
		.refused = counts->refused,
		.latest_ns = counts->latest_ns,
		.missed = missed,
		.no_room = setup->plan.no_room,
	};
}

/* Whether the processes that have the file mapped are to have no probe; those that an earlier file has are its. */
static int look_at_processes_of(struct library_setup *setup, size_t index)
{
	const struct linked_file *file = &setup->files.items[index];
	int err = 0;

	for (size_t i = 0; i < file->process_count && !err; i++) {
		pid_t pid = file->processes[i];
		bool is_known = false;

		for (size_t earlier = 0; earlier < index && !is_known; earlier++)
			is_known = linked_file_has_process(&setup->files.items[earlier], pid);
		if (!is_known)
			err = library_probes_refuse(&setup->probes, pid, PROBE_LOOK_AGAIN);
	}
	return err;
}

static int look_at_target(struct library_setup *setup, const struct target_options *target)
{
	int err = 0;

	if (target->command)
		return probe_refusals_look_ahead(&setup->probes.refusals, &setup->files,
						 setup->probes.where.command);
	for (size_t i = 0; i < setup->files.count && !err; i++)
		err = look_at_processes_of(setup, i);
	return err;
}

static int open_follower(struct library_setup *setup, const struct options *options)
{
	struct library_follower *follower = &setup->follower;

	follower->files = &setup->files;
	follower->plan = &setup->plan;
	follower->options = &options->plan;
	follower->probes = &setup->probes;
	return library_follower_open(follower);
}

static int attach(struct library_setup *setup, const struct options *options)
{
	int err;

	if (setup->probes.where.everywhere)
		tell_processes(setup);
	err = library_links_open(&setup->probes.links);
	if (err)
		return err;
	measure_costs(setup);
	err = library_alerts_open(&setup->alerts, setup->probes.kernel);
	if (!err)
		err = look_at_target(setup, &options->target);
	if (!err)
		err = governor_open(&setup->governor, &setup->probes, options->overhead);
	if (!err)
		err = library_probes_attach(&setup->probes);
	/* Whatever runs already begins with the recording. */
	if (!err && setup->probes.where.command)
		err = governor_begin(setup->governor);
	file_mappings_clear(&setup->mappings);
	if (!err && setup->follows)
		err = open_follower(setup, options);
	return err;
}

int library_setup_attach(struct library_setup *setup, const struct options *options,
			 const struct recorder *recorder, pid_t command)
{
	int err;

	if (!recorder_library(recorder))
		return 0;
	setup->probes.plan = &setup->plan;
	setup->probes.files = &setup->files;
	setup->probes.kernel = recorder_library(recorder);
	setup->probes.where = (struct library_places){
		.command = command,
		.everywhere = target_setup_is_everything(&options->target),
		.counts_only = options->counts_only,
	};
	err = attach(setup, options);
	if (!err)
		return 0;
	if (err == -E2BIG)
		log_error("cannot probe library functions: without uprobe_multi (Linux 6.6) there can be %d "
			  "probes, "
			  "entries and exits; choose fewer functions with --func, or leave out exits with "
			  "--count-only",
			  LIBRARY_EVENTS_MAX);
	else
		log_error("cannot probe library functions: %s", strerror(-err));
	return err;
}

#define GOVERN_IN_NS 1000000

uint64_t library_setup_govern_in_ns(const struct library_setup *setup)
{
	return setup->governor ? GOVERN_IN_NS : 0;
}

int library_setup_alert_fd(const struct library_setup *setup)
{
	return setup->governor ? library_alerts_fd(&setup->alerts) : -1;
}

int library_setup_govern(struct library_setup *setup, uint64_t *next_ns)
{
	int err = library_alerts_take(&setup->alerts);

	if (err) {
		log_error("cannot see what probes cost: %s", strerror(-err));
		return err;
	}
	err = library_probes_heed_others(&setup->probes);
	if (err) {
		log_error("cannot look for other tracers: %s", strerror(-err));
		return err;
	}
	if (setup->follows)
		library_follower_reap(&setup->follower);
	err = governor_look(setup->governor, next_ns);
	if (err)
		log_error("cannot take out probes that cost too much: %s", strerror(-err));
	return err;
}

int library_setup_follow_fd(const struct library_setup *setup)
{
	return library_follower_fd(&setup->follower);
}

int library_setup_follow(struct library_setup *setup, uint64_t *next_ns)
{
	int err = library_follower_run(&setup->follower, next_ns) ?: name_functions(setup);

	if (err)
		log_error("cannot probe library functions of new code: %s", strerror(-err));
	return err;
}

void library_setup_detach(struct library_setup *setup)
{
	if (setup->governor)
		governor_stop(setup->governor);
	library_probes_detach(&setup->probes);
}

void library_setup_close(struct library_setup *setup)
{
	library_probes_close(&setup->probes);
}

const struct library_functions *library_setup_functions(struct library_setup *setup)
{
	note_functions(setup);
	return setup->functions.items ? &setup->functions : NULL;
}

struct scaler_sampling library_setup_sampling(struct library_setup *setup)
{
	const struct scaler_sampling none = { 0 };

	return setup->governor ? governor_sampling(setup->governor) : none;
}

void library_setup_clear(struct library_setup *setup)
{
	library_follower_close(&setup->follower);
	governor_close(setup->governor);
	library_alerts_close(&setup->alerts);
	library_setup_close(setup);
	file_mappings_clear(&setup->mappings);
	for (size_t i = 0; i < setup->functions.count; i++) {
		free(setup->functions.items[i].name);
		free(setup->functions.items[i].aliases);
	}
	free(setup->functions.items);
	free(setup->functions.refused);
	plan_clear(&setup->plan);
	mapped_file_close(&setup->files);
	linked_files_clear(&setup->files);
	*setup = (struct library_setup){ 0 };
}
