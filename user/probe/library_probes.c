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
#include "probe/uprobe_multi.h"
#include "target/component.h"
#include "target/probe_site.h"

/* The functions of one file that are to be probed. */
struct selection {
	struct plan_function **functions;
	uint64_t *offsets;
	uint64_t *cookies;
	size_t count;
};

/* What one link is made of. */
struct attachment {
	struct library_probes *probes;
	int program_fd;
	int file_fd;
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
		.program_fd = attachment->program_fd,
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

/* The functions of that file, but those that are omitted; *at is the first, and becomes the next file's. */
static void select_functions(struct selection *selection, struct plan *plan, size_t file, size_t *at)
{
	selection->count = 0;
	for (; *at < plan->function_count && plan->functions[*at].file == file; ++*at) {
		struct plan_function *function = &plan->functions[*at];

		if (function->omission)
			continue;
		selection->functions[selection->count] = function;
		selection->offsets[selection->count] = function->offset;
		selection->cookies[selection->count++] = *at + 1;
	}
}

/* Each function that the kernel is known to refuse saves a round of halving. */
static void omit_refused(const struct selection *selection, int fd)
{
	for (size_t i = 0; i < selection->count; i++) {
		uint8_t code[PROBE_SITE_BYTES];
		ssize_t got = pread(fd, code, sizeof(code), (off_t)selection->offsets[i]);

		if (got <= 0 || probe_site_is_refused(code, (size_t)got))
			selection->functions[i]->omission = PLAN_REFUSED;
	}
}

/* The process may have ended. Those that were found not to be probed in one process are left out in the next. */
static int attach_in_process(struct attachment *attachment, struct selection *selection, pid_t pid)
{
	size_t kept = 0;
	int err;

	for (size_t i = 0; i < selection->count; i++) {
		if (selection->functions[i]->omission)
			continue;
		selection->functions[kept] = selection->functions[i];
		selection->offsets[kept] = selection->offsets[i];
		selection->cookies[kept++] = selection->cookies[i];
	}
	selection->count = kept;
	attachment->pid = pid;
	err = kept ? attach_range(attachment, selection, 0, kept) : 0;
	return err == -ESRCH ? 0 : err;
}

static int attach_file(struct attachment *attachment, struct selection *selection,
		       const struct linked_file *file, const struct library_places *places)
{
	int err = 0;

	attachment->file_fd = component_open(&file->component);
	if (attachment->file_fd < 0) {
		for (size_t i = 0; i < selection->count; i++)
			selection->functions[i]->omission = PLAN_GONE;
		return 0;
	}
	omit_refused(selection, attachment->file_fd);
	if (places->everywhere || places->command)
		err = attach_in_process(attachment, selection, places->command);
	else
		for (size_t i = 0; i < file->process_count && !err; i++)
			err = attach_in_process(attachment, selection, file->processes[i]);
	close(attachment->file_fd);
	return err;
}

static int attach_files(struct attachment *attachment, struct selection *selection, struct plan *plan,
			const struct linked_files *files, const struct library_places *places)
{
	size_t at = 0;
	int err = 0;

	for (size_t file = 0; file < files->count && !err; file++) {
		select_functions(selection, plan, file, &at);
		if (selection->count)
			err = attach_file(attachment, selection, &files->items[file], places);
	}
	return err;
}

int library_probes_attach(struct library_probes *probes, int program_fd, struct plan *plan,
			  const struct linked_files *files, const struct library_places *places)
{
	size_t most = plan->function_count + 1;
	struct selection selection = {
		.functions = calloc(most, sizeof(struct plan_function *)),
		.offsets = calloc(most, sizeof(*selection.offsets)),
		.cookies = calloc(most, sizeof(*selection.cookies)),
	};
	struct attachment attachment = { .probes = probes, .program_fd = program_fd };
	int err = -ENOMEM;

	if (selection.functions && selection.offsets && selection.cookies)
		err = attach_files(&attachment, &selection, plan, files, places);
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
