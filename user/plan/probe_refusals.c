// SPDX-License-Identifier: GPL-2.0-only
/* Where probes would do harm by being there. */
#include "plan/probe_refusals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "plan/plan_site.h"
#include "target/component.h"
#include "target/foreign_code.h"
#include "target/process.h"
#include "target/process_maps.h"

/* At which process, of what program, for which functions. */
struct looking {
	struct probe_refusals *refusals;
	const struct plan *plan;
	const struct linked_files *files;
	pid_t pid;
	char program[PROBE_REFUSAL_NAME_SIZE];
};

static int tell(const struct looking *looking, uint32_t file, enum probe_refusal_reason reason)
{
	struct probe_refusals *refusals = looking->refusals;
	struct probe_refused *told;

	for (size_t i = 0; i < refusals->told_count; i++) {
		told = &refusals->told[i];
		if (told->file != file || told->reason != reason || strcmp(told->program, looking->program))
			continue;
		told->processes += told->latest != looking->pid;
		told->latest = looking->pid;
		return 0;
	}
	told = array_reserve(refusals->told, refusals->told_count, &refusals->told_capacity, sizeof(*told));
	if (!told)
		return -ENOMEM;
	refusals->told = told;
	told += refusals->told_count++;
	*told = (struct probe_refused){
		.file = file, .reason = reason, .processes = 1, .latest = looking->pid
	};
	memcpy(told->program, looking->program, sizeof(told->program));
	return 0;
}

static int refuse(const struct looking *looking, uint32_t file)
{
	struct probe_refusals *refusals = looking->refusals;
	struct probe_refusal *items;

	if (probe_refusals_have(refusals, looking->pid, file))
		return 0;
	items = array_reserve(refusals->items, refusals->count, &refusals->capacity, sizeof(*items));
	if (!items)
		return -ENOMEM;
	refusals->items = items;
	items[refusals->count++] = (struct probe_refusal){ looking->pid, file };
	return 0;
}

/* The number of the mapping's file, or how many files there are. */
static uint32_t find_file(const struct looking *looking, const struct process_mapping *mapping)
{
	const struct linked_files *files = looking->files;
	const struct linked_file *file =
		mapping->component.key.device ? linked_files_find_mapped(files, &mapping->component) : NULL;

	return (uint32_t)(file ? (size_t)(file - files->items) : files->count);
}

/* Whether a probe on one of the file's functions would be in there. */
static bool holds_functions(const struct process_mapping *mapping, const struct plan *plan, uint32_t file)
{
	uint64_t end = mapping->offset + (mapping->component.end - mapping->component.start);

	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];

		/* The kernel puts it where the function begins, or some bytes behind. */
		if (function->file == file && !function->omission &&
		    plan_site_offset(function) >= mapping->offset && plan_site_offset(function) < end)
			return true;
	}
	return false;
}

/* Reads one kind of mappings. */
typedef int (*maps_reader)(struct process_maps *maps, pid_t pid);

static bool maps_functions(const struct looking *looking, maps_reader read_maps)
{
	struct process_maps maps;
	bool has = false;

	read_maps(&maps, looking->pid);
	for (size_t i = 0; i < maps.count && !has; i++)
		has = holds_functions(&maps.mappings[i], looking->plan,
				      find_file(looking, &maps.mappings[i]));
	process_maps_clear(&maps);
	return has;
}

static int refuse_all(const struct looking *looking, enum foreign_code code)
{
	int err = refuse(looking, PROBE_REFUSAL_ALL_FILES);

	/* Whether it would have probes, but for that. */
	if (err ||
	    !(maps_functions(looking, process_maps_read) || maps_functions(looking, process_maps_read_unrun)))
		return err;
	return tell(looking, PROBE_REFUSAL_ALL_FILES,
		    code == FOREIGN_CODE_LOADED ? PROBE_REFUSED_LOADED : PROBE_REFUSED_TRANSLATED);
}

static bool has_agent(const struct linked_files *files, pid_t pid)
{
	for (size_t i = 0; i < files->count; i++) {
		if (foreign_code_has_agent(component_name(&files->items[i].component)) &&
		    linked_file_has_process(&files->items[i], pid))
			return true;
	}
	return false;
}

static int refuse_mapped(const struct looking *looking, const struct process_mapping *mapping)
{
	uint32_t file = find_file(looking, mapping);

	if (!holds_functions(mapping, looking->plan, file))
		return 0;
	return refuse(looking, file) ?: tell(looking, file, PROBE_REFUSED_READ);
}

/* Those that were there before, too, if there were any. */
static int look_at_mappings(const struct looking *looking, const struct process_maps *before)
{
	struct process_maps maps;
	int err = process_maps_read_unrun(&maps, looking->pid);

	/* One that has ended reads nothing. */
	err = err == -ENOMEM ? err : 0;
	for (size_t i = 0; i < maps.count && !err; i++) {
		const struct process_mapping *mapping = &maps.mappings[i];
		const struct process_mapping *earlier =
			before ? process_maps_find(before, mapping->component.start) : mapping;

		if (earlier && earlier->component.end == mapping->component.end)
			err = refuse_mapped(looking, mapping);
	}
	process_maps_clear(&maps);
	return err;
}

/* What a dynamic linker needs from one of its calls to the next, and for how long it may be kept from running meanwhile. */
#define BETWEEN_CALLS_US 1000U
#define KEPT_US          50000U

/* Until it has had the time for its next call, or waits for something that is neither a CPU nor a disk. */
static void wait_for_next_call(pid_t pid)
{
	struct thread_activity first, now;
	unsigned int waited_us = 0;

	if (thread_activity_read(&first, pid))
		return;
	do {
		usleep(BETWEEN_CALLS_US);
		waited_us += BETWEEN_CALLS_US;
	} while (waited_us < KEPT_US && !thread_activity_read(&now, pid) && strchr("RD", now.state) &&
		 now.ran_ns - first.ran_ns < 1000ULL * BETWEEN_CALLS_US);
}

static int look_twice(const struct looking *looking)
{
	struct probe_refusals found = { 0 };
	struct looking first = *looking;
	struct process_maps before;
	int err = process_maps_read_unrun(&before, looking->pid);

	first.refusals = &found;
	err = err == -ENOMEM ? err : look_at_mappings(&first, NULL);
	if (!err && found.count) {
		wait_for_next_call(looking->pid);
		err = look_at_mappings(looking, &before);
	}
	process_maps_clear(&before);
	probe_refusals_clear(&found);
	return err;
}

int probe_refusals_look(struct probe_refusals *refusals, const struct plan *plan,
			const struct linked_files *files, pid_t pid, enum probe_look how)
{
	struct looking looking = { .refusals = refusals, .plan = plan, .files = files, .pid = pid };
	enum foreign_code code = foreign_code_of_process(pid, looking.program, sizeof(looking.program));

	probe_refusals_forget(refusals, pid);
	if (code || has_agent(files, pid))
		return refuse_all(&looking, code);
	switch (how) {
	case PROBE_LOOK_AT_ONCE:
		return look_at_mappings(&looking, NULL);
	case PROBE_LOOK_AGAIN:
		return look_twice(&looking);
	default:
		return 0;
	}
}

int probe_refusals_look_ahead(struct probe_refusals *refusals, const struct linked_files *files, pid_t pid)
{
	const struct looking looking = { .refusals = refusals, .files = files, .pid = pid };
	const struct scaler_component *program = files->count ? &files->items[0].component : NULL;
	int fd = program ? component_open(program) : -ENOENT;
	enum foreign_code code;

	if (fd < 0)
		return 0;
	code = foreign_code_of_program(component_name(program), fd);
	close(fd);
	return code ? refuse(&looking, PROBE_REFUSAL_ALL_FILES) : 0;
}

bool probe_refusals_have(const struct probe_refusals *refusals, pid_t pid, uint32_t file)
{
	for (size_t i = 0; i < refusals->count; i++) {
		const struct probe_refusal *item = &refusals->items[i];

		if (item->pid == pid && (item->file == file || item->file == PROBE_REFUSAL_ALL_FILES))
			return true;
	}
	return false;
}

void probe_refusals_forget(struct probe_refusals *refusals, pid_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < refusals->count; i++) {
		if (refusals->items[i].pid != pid)
			refusals->items[kept++] = refusals->items[i];
	}
	refusals->count = kept;
}

const char *probe_refusal_text(enum probe_refusal_reason reason)
{
	static const char *const texts[PROBE_REFUSALS] = {
		[PROBE_REFUSED_LOADED] = "it loads libraries by itself, and may translate or copy their code",
		[PROBE_REFUSED_TRANSLATED] = "it translates code, with the probes in it",
		[PROBE_REFUSED_READ] = "it has mapped its code to read it, and would read the probes",
	};

	return texts[reason];
}

void probe_refusals_clear(struct probe_refusals *refusals)
{
	free(refusals->items);
	free(refusals->told);
	*refusals = (struct probe_refusals){ 0 };
}
