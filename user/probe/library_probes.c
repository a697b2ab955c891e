// SPDX-License-Identifier: GPL-2.0-only
/*
 * A link for each file, process and way to probe. One function that cannot be probed makes the kernel refuse all of a
 * link: such functions are known by their first bytes, or found by halving.
 */
#include "probe/library_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
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

/* The functions of a file. */
struct file_functions {
	struct plan_function *items;
	size_t first; /* the number of the first among all the plan's, from 0 */
	size_t count;
};

/* What links of one file are made of. */
struct attachment {
	struct library_probes *probes;
	struct selection *selection;
	struct file_functions functions;
	struct library_link link; /* the next one; its fd is not used */
	int file_fd;
	uint32_t generation;
};

static int add_link(struct library_probes *probes, const struct library_link *link)
{
	struct library_link *links =
		array_reserve(probes->links, probes->count, &probes->capacity, sizeof(*links));

	if (!links) {
		close(link->fd);
		return -ENOMEM;
	}
	probes->links = links;
	links[probes->count++] = *link;
	return 0;
}

/* Whether it is the functions' or their file's fault. */
static bool is_refusal(int err)
{
	return err == -UPROBE_MULTI_REFUSED || err == -EINVAL || err == -EIO;
}

static int attach_range(struct attachment *attachment, size_t first, size_t count)
{
	const struct library_kernel *kernel = attachment->probes->kernel;
	const struct selection *selection = attachment->selection;
	struct library_link *link = &attachment->link;
	const struct uprobe_multi probes = {
		.kind = link->is_timed ? UPROBE_MULTI_SESSION : UPROBE_MULTI_ENTRY,
		.program_fd = link->is_timed ? kernel->session_fd : kernel->entry_fd,
		.file_fd = attachment->file_fd,
		.offsets = selection->offsets + first,
		.cookies = selection->cookies + first,
		.count = (uint32_t)count,
		.pid = link->pid,
	};

	link->fd = uprobe_multi_attach(&probes);
	if (link->fd >= 0)
		return add_link(attachment->probes, link);
	if (!is_refusal(link->fd))
		return link->fd;
	if (count > 1)
		return attach_range(attachment, first, count / 2) ?:
			       attach_range(attachment, first + count / 2, count - count / 2);
	selection->functions[first]->omission = PLAN_REFUSED;
	return 0;
}

/* Those that the next link is for: none that are omitted, or have been unhooked. */
static void select_functions(struct attachment *attachment)
{
	struct selection *selection = attachment->selection;
	const struct library_link *link = &attachment->link;
	uint64_t generation = attachment->generation;

	selection->count = 0;
	for (size_t i = 0; i < attachment->functions.count; i++) {
		struct plan_function *function = &attachment->functions.items[i];

		if (function->omission || function->unhooked_ns || link->is_timed != !function->untimed)
			continue;
		selection->functions[selection->count] = function;
		selection->offsets[selection->count] = function->offset;
		selection->cookies[selection->count++] =
			(attachment->functions.first + i + 1) | generation << SCALER_COOKIE_GENERATION_SHIFT;
	}
}

/* The process may have ended. */
static int attach_link(struct attachment *attachment)
{
	int err;

	select_functions(attachment);
	err = attachment->selection->count ? attach_range(attachment, 0, attachment->selection->count) : 0;
	return err == -ESRCH ? 0 : err;
}

/*
 * What the kernel side has to know of each function. What is at its beginning tells what a hit costs; and a refusal that
 * is known in advance saves rounds of halving.
 */
static void describe_functions(struct attachment *attachment)
{
	const struct probe_costs *costs = &attachment->probes->costs;
	bool is_careful = attachment->probes->places.returns != RETURN_PROBES_ALL;

	for (size_t i = 0; i < attachment->functions.count; i++) {
		struct scaler_function *shared =
			&attachment->probes->kernel->functions[attachment->functions.first + i + 1];
		struct plan_function *function = &attachment->functions.items[i];
		uint8_t code[PROBE_SITE_BYTES];
		enum probe_site_kind kind;
		ssize_t got;

		if (function->omission)
			continue;
		got = pread(attachment->file_fd, code, sizeof(code), (off_t)function->offset);
		if (got <= 0 || probe_site_is_refused(code, (size_t)got)) {
			function->omission = PLAN_REFUSED;
			continue;
		}
		kind = probe_site_kind(code, (size_t)got);
		shared->entry_ns = costs->entry_ns[kind];
		shared->return_ns = costs->return_ns[kind];
		shared->within_ns = costs->within_ns[kind];
		shared->hazards = is_careful ? function->hazards : 0;
	}
}

/* Those that were found not to be probed in one process are left out in the next. */
static int attach_in_process(struct attachment *attachment, pid_t pid)
{
	struct library_link *link = &attachment->link;
	int err = 0;

	link->pid = pid;
	for (int timed = 0; timed <= 1 && !err; timed++) {
		link->is_timed = timed;
		err = attach_link(attachment);
	}
	return err;
}

static int attach_file(struct attachment *attachment)
{
	const struct linked_file *file = &attachment->probes->files->items[attachment->link.file];
	const struct library_places *places = &attachment->probes->places;
	struct file_functions *functions = &attachment->functions;
	int err = 0;

	attachment->file_fd = component_open(&file->component);
	if (attachment->file_fd < 0) {
		for (size_t i = 0; i < functions->count; i++)
			functions->items[i].omission = functions->items[i].omission ?: PLAN_GONE;
		return 0;
	}
	describe_functions(attachment);
	if (places->everywhere || places->command)
		err = attach_in_process(attachment, places->command);
	else
		for (size_t i = 0; i < file->process_count && !err; i++)
			err = attach_in_process(attachment, file->processes[i]);
	close(attachment->file_fd);
	return err;
}

/* The plan's functions are by file: those of the file from the given function on, which is its first or a later one's. */
static struct file_functions functions_of(const struct plan *plan, size_t first, uint32_t file)
{
	struct file_functions functions = { plan->functions + first, first, 0 };

	while (first + functions.count < plan->function_count &&
	       functions.items[functions.count].file == file)
		functions.count++;
	return functions;
}

static int attach_files(struct library_probes *probes, struct selection *selection)
{
	size_t next = 0;
	int err = 0;

	for (uint32_t file = 0; file < probes->files->count && !err; file++) {
		struct attachment attachment = {
			.probes = probes,
			.selection = selection,
			.functions = functions_of(probes->plan, next, file),
			.link = { .file = file },
		};

		next += attachment.functions.count;
		if (attachment.functions.count)
			err = attach_file(&attachment);
	}
	return err;
}

/* What holds for all functions. */
static enum plan_untimed find_untimed(const struct library_probes *probes)
{
	if (probes->places.returns == RETURN_PROBES_NONE)
		return PLAN_NOT_ASKED;
	return probes->kernel->session_fd < 0 ? PLAN_KERNEL_TOO_OLD : PLAN_TIMED;
}

static int selection_make(struct selection *selection, const struct plan *plan)
{
	size_t most = plan->function_count + 1;

	selection->functions = calloc(most, sizeof(struct plan_function *));
	selection->offsets = calloc(most, sizeof(*selection->offsets));
	selection->cookies = calloc(most, sizeof(*selection->cookies));
	return selection->functions && selection->offsets && selection->cookies ? 0 : -ENOMEM;
}

static void selection_clear(struct selection *selection)
{
	free(selection->functions);
	free(selection->offsets);
	free(selection->cookies);
}

int library_probes_attach(struct library_probes *probes)
{
	enum plan_untimed untimed = find_untimed(probes);
	struct selection selection = { 0 };
	int err = selection_make(&selection, probes->plan);

	for (size_t i = 0; i < probes->plan->function_count && untimed; i++)
		probes->plan->functions[i].untimed = untimed;
	if (!err)
		err = attach_files(probes, &selection);
	selection_clear(&selection);
	if (err)
		library_probes_detach(probes);
	return err;
}

#define ANY_FILE UINT32_MAX

/* Closes the file's links among those from first to end, and takes them out. */
static void drop_links(struct library_probes *probes, uint32_t file, size_t first, size_t end)
{
	int *fds = calloc(end - first + 1, sizeof(*fds));
	size_t kept = first, dropped = 0;

	for (size_t i = first; i < probes->count; i++) {
		if (i >= end || (file != ANY_FILE && probes->links[i].file != file))
			probes->links[kept++] = probes->links[i];
		else if (fds)
			fds[dropped++] = probes->links[i].fd;
		else
			close(probes->links[i].fd);
	}
	probes->count = kept;
	uprobe_multi_detach(fds, dropped);
	free(fds);
}

/* Halving may have made several links of one. */
static bool is_first_of_its_kind(const struct library_probes *probes, size_t index)
{
	const struct library_link *link = &probes->links[index];

	for (size_t i = 0; i < index; i++) {
		const struct library_link *other = &probes->links[i];

		if (other->file == link->file && other->pid == link->pid && other->is_timed == link->is_timed)
			return false;
	}
	return true;
}

/* A link for each of the file's that there are. */
static int attach_again(struct attachment *attachment, size_t links)
{
	struct library_probes *probes = attachment->probes;
	int err = 0;

	for (size_t i = 0; i < links && !err; i++) {
		if (probes->links[i].file != attachment->link.file || !is_first_of_its_kind(probes, i))
			continue;
		attachment->link = probes->links[i];
		err = attach_link(attachment);
	}
	return err;
}

int library_probes_relink(struct library_probes *probes, uint32_t file)
{
	struct selection selection = { 0 };
	struct attachment attachment = { .probes = probes,
					 .selection = &selection,
					 .link = { .file = file } };
	struct scaler_function *shared;
	size_t before = probes->count, first = 0;
	int err = selection_make(&selection, probes->plan);

	while (first < probes->plan->function_count && probes->plan->functions[first].file < file)
		first++;
	attachment.functions = functions_of(probes->plan, first, file);
	shared = &probes->kernel->functions[first + 1];
	attachment.generation = shared->generation + 1;
	attachment.file_fd = component_open(&probes->files->items[file].component);
	if (!err)
		err = attachment.file_fd < 0 ? attachment.file_fd : attach_again(&attachment, before);
	if (attachment.file_fd >= 0)
		close(attachment.file_fd);
	selection_clear(&selection);
	if (err) {
		drop_links(probes, file, before, probes->count);
		return err;
	}
	for (size_t i = 0; i < attachment.functions.count; i++)
		__atomic_store_n(&shared[i].generation, attachment.generation, __ATOMIC_RELAXED);
	drop_links(probes, file, 0, before);
	return 0;
}

void library_probes_detach(struct library_probes *probes)
{
	drop_links(probes, ANY_FILE, 0, probes->count);
	free(probes->links);
	probes->links = NULL;
	probes->capacity = 0;
}
