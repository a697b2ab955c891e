// SPDX-License-Identifier: GPL-2.0-only
/*
 * A link for each file and process. One function that cannot be probed makes the kernel refuse all of a link: such
 * functions are known by their first bytes, or found by halving.
 */
#include "probe/library_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "probe/return_safety.h"
#include "probe/uprobe_multi.h"
#include "target/component.h"
#include "target/probe_site.h"

/* Functions of one file that are to be probed in the same way. */
struct selection {
	struct plan_function **functions;
	uint64_t *offsets;
	uint64_t *cookies;
	size_t count;
};

/* What one link is made of. */
struct attachment {
	struct library_probes *probes;
	const struct library_programs *programs;
	const struct library_places *places;
	struct return_safety safety;
	int file_fd;
	bool is_timed;
	pid_t pid; /* 0: everywhere */
};

static int add_link(struct library_probes *probes, int fd)
{
	int *links = array_reserve(probes->links, probes->count, &probes->capacity, sizeof(*links));

	if (!links) {
		close(fd);
		return -ENOMEM;
	}
	probes->links = links;
	links[probes->count++] = fd;
	return 0;
}

/* Whether it is the functions' or their file's fault. */
static bool is_refusal(int err)
{
	return err == -UPROBE_MULTI_REFUSED || err == -EINVAL || err == -EIO;
}

static int attach_range(const struct attachment *attachment, const struct selection *selection, size_t first,
			size_t count)
{
	const struct uprobe_multi probes = {
		.kind = attachment->is_timed ? UPROBE_MULTI_SESSION : UPROBE_MULTI_ENTRY,
		.program_fd = attachment->is_timed ? attachment->programs->session_fd :
						     attachment->programs->entry_fd,
		.file_fd = attachment->file_fd,
		.offsets = selection->offsets + first,
		.cookies = selection->cookies + first,
		.count = (uint32_t)count,
		.pid = attachment->pid,
	};
	int fd = uprobe_multi_attach(&probes);

	if (fd >= 0)
		return add_link(attachment->probes, fd);
	if (!is_refusal(fd))
		return fd;
	if (count > 1)
		return attach_range(attachment, selection, first, count / 2) ?:
			       attach_range(attachment, selection, first + count / 2, count - count / 2);
	selection->functions[first]->omission = PLAN_REFUSED;
	return 0;
}

/* The functions of a file. */
struct file_functions {
	struct plan_function *items;
	size_t first; /* the number of the first among all the plan's, from 0 */
	size_t count;
};

/* That it is not timed in one process does not hold for others. */
static bool is_timed(const struct plan_function *function, unsigned int hazards)
{
	return (!function->untimed || function->untimed == PLAN_PROCESS_UNWINDS) &&
	       !(function->hazards & hazards);
}

/* Those of its functions that are to be timed where there are those hazards, or those that are not; none omitted. */
static void select_functions(struct selection *selection, const struct file_functions *functions,
			     unsigned int hazards, bool timed)
{
	selection->count = 0;
	for (size_t i = 0; i < functions->count; i++) {
		struct plan_function *function = &functions->items[i];

		if (function->omission || timed != is_timed(function, hazards))
			continue;
		if (!timed && !function->untimed)
			function->untimed = PLAN_PROCESS_UNWINDS;
		selection->functions[selection->count] = function;
		selection->offsets[selection->count] = function->offset;
		selection->cookies[selection->count++] = functions->first + i + 1;
	}
}

/* Each function that the kernel is known to refuse saves a round of halving. */
static void omit_refused(const struct file_functions *functions, int fd)
{
	for (size_t i = 0; i < functions->count; i++) {
		struct plan_function *function = &functions->items[i];
		uint8_t code[PROBE_SITE_BYTES];
		ssize_t got;

		if (function->omission)
			continue;
		got = pread(fd, code, sizeof(code), (off_t)function->offset);
		if (got <= 0 || probe_site_is_refused(code, (size_t)got))
			function->omission = PLAN_REFUSED;
	}
}

/* The process may have ended. Those that were found not to be probed in one process are left out in the next. */
static int attach_in_process(struct attachment *attachment, struct selection *selection,
			     const struct file_functions *functions, pid_t pid)
{
	/* A command has yet to map the files. */
	unsigned int hazards =
		return_safety_of_process(&attachment->safety, attachment->places->command ? 0 : pid);
	int err = 0;

	attachment->pid = pid;
	for (int timed = 0; timed <= 1 && !err; timed++) {
		attachment->is_timed = timed;
		select_functions(selection, functions, hazards, timed);
		if (selection->count)
			err = attach_range(attachment, selection, 0, selection->count);
	}
	return err == -ESRCH ? 0 : err;
}

static int attach_file(struct attachment *attachment, struct selection *selection,
		       const struct linked_file *file, const struct file_functions *functions)
{
	const struct library_places *places = attachment->places;
	int err = 0;

	attachment->file_fd = component_open(&file->component);
	if (attachment->file_fd < 0) {
		for (size_t i = 0; i < functions->count; i++)
			functions->items[i].omission = functions->items[i].omission ?: PLAN_GONE;
		return 0;
	}
	omit_refused(functions, attachment->file_fd);
	if (places->everywhere || places->command)
		err = attach_in_process(attachment, selection, functions, places->command);
	else
		for (size_t i = 0; i < file->process_count && !err; i++)
			err = attach_in_process(attachment, selection, functions, file->processes[i]);
	close(attachment->file_fd);
	return err;
}

static int attach_files(struct attachment *attachment, struct selection *selection, const struct plan *plan,
			const struct linked_files *files)
{
	struct file_functions functions = { 0 };
	int err = return_safety_make(&attachment->safety, files);

	for (size_t file = 0; file < files->count && !err; file++) {
		functions.first += functions.count;
		functions.items = plan->functions + functions.first;
		functions.count = 0;
		while (functions.first + functions.count < plan->function_count &&
		       functions.items[functions.count].file == file)
			functions.count++;
		if (functions.count)
			err = attach_file(attachment, selection, &files->items[file], &functions);
	}
	return_safety_clear(&attachment->safety);
	return err;
}

/* What holds for all functions. */
static enum plan_untimed find_untimed(const struct library_programs *programs,
				      const struct library_places *places)
{
	if (!places->returns)
		return PLAN_NOT_ASKED;
	if (programs->session_fd < 0)
		return PLAN_KERNEL_TOO_OLD;
	return places->everywhere ? PLAN_PROCESS_UNKNOWN : PLAN_TIMED;
}

int library_probes_attach(struct library_probes *probes, const struct library_programs *programs,
			  struct plan *plan, const struct linked_files *files,
			  const struct library_places *places)
{
	size_t most = plan->function_count + 1;
	enum plan_untimed untimed = find_untimed(programs, places);
	struct selection selection = {
		.functions = calloc(most, sizeof(struct plan_function *)),
		.offsets = calloc(most, sizeof(*selection.offsets)),
		.cookies = calloc(most, sizeof(*selection.cookies)),
	};
	struct attachment attachment = { .probes = probes, .programs = programs, .places = places };
	int err = -ENOMEM;

	for (size_t i = 0; i < plan->function_count && untimed; i++)
		plan->functions[i].untimed = untimed;
	if (selection.functions && selection.offsets && selection.cookies)
		err = attach_files(&attachment, &selection, plan, files);
	free(selection.functions);
	free(selection.offsets);
	free(selection.cookies);
	if (err)
		library_probes_detach(probes);
	return err;
}

void library_probes_detach(struct library_probes *probes)
{
	for (size_t i = 0; i < probes->count; i++)
		close(probes->links[i]);
	free(probes->links);
	*probes = (struct library_probes){ 0 };
}
