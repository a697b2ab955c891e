// SPDX-License-Identifier: GPL-2.0-only
/*
 * A link for each file, process and way to probe. One function that cannot be probed makes the kernel refuse all of a
 * link: such functions are known by their first bytes, or found by halving. Where the kernel has no links for many
 * functions, each probe is one.
 */
#include "probe/library_probes.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "probe/library_description.h"
#include "probe/library_selection.h"
#include "probe/return_exits.h"
#include "probe/uprobe_link.h"
#include "target/component.h"

/* What links of one file are made of. */
struct attachment {
	struct library_probes *probes;
	struct library_selection selection; /* owned */
	struct library_selecting selecting; /* for the next link */
	pid_t pid;                          /* of that */
	int file_fd;
};

/* Whether it is the functions' or their file's fault. */
static bool is_refusal(int err)
{
	return err == -UPROBE_LINK_REFUSED || err == -EINVAL || err == -EIO;
}

static struct uprobe_link describe_range(const struct attachment *attachment, size_t first, size_t count)
{
	const struct library_kernel *kernel = attachment->probes->kernel;
	const struct library_selection *selection = &attachment->selection;
	enum library_link_kind kind = attachment->selecting.kind;
	const int programs[LIBRARY_LINK_KINDS] = {
		[LIBRARY_LINK_EXITS] = kernel->exit_fd,
		[LIBRARY_LINK_ENTRIES] = kernel->entry_fd,
		[LIBRARY_LINK_SESSIONS] = kernel->session_fd,
	};

	return (struct uprobe_link){
		.kind = kind == LIBRARY_LINK_SESSIONS ? UPROBE_LINK_SESSION : uprobe_link_plain(),
		.program_fd = programs[kind],
		.file_fd = attachment->file_fd,
		.offsets = selection->offsets + first,
		.cookies = selection->cookies + first,
		.count = (uint32_t)count,
		.pid = attachment->pid,
	};
}

static int attach_range(struct attachment *attachment, size_t first, size_t count)
{
	const struct uprobe_link description = describe_range(attachment, first, count);
	struct library_link link = {
		.file = attachment->selecting.file,
		.kind = attachment->selecting.kind,
		.pid = attachment->pid,
		.offset = *description.offsets,
		.fd = -EINVAL,
	};

	if (description.kind != UPROBE_LINK_EVENT || count == 1)
		link.fd = uprobe_link_create(&description);
	if (link.fd >= 0)
		return library_links_add(&attachment->probes->links, &link);
	if (!is_refusal(link.fd))
		return link.fd;
	if (count > 1)
		return attach_range(attachment, first, count / 2) ?:
			       attach_range(attachment, first + count / 2, count - count / 2);
	library_selection_refuse(&attachment->selection, attachment->probes->plan, &attachment->selecting,
				 first);
	return 0;
}

static void choose(struct attachment *attachment, enum library_link_kind kind)
{
	attachment->selecting.kind = kind;
	library_selection_choose(&attachment->selection, attachment->probes->plan, &attachment->selecting);
}

static bool are_too_many(struct attachment *attachment)
{
	size_t count = attachment->probes->links.count;

	for (int kind = 0; kind < LIBRARY_LINK_KINDS; kind++) {
		choose(attachment, kind);
		count += attachment->selection.count;
	}
	return count > LIBRARY_EVENTS_MAX;
}

/* Those that were found not to be probed in one process are left out in the next. */
static int attach_in_process(struct attachment *attachment, pid_t pid)
{
	int err = uprobe_link_plain() == UPROBE_LINK_EVENT && are_too_many(attachment) ? -E2BIG : 0;

	attachment->pid = pid;
	/* In that order: no call is opened whose end would not be seen. */
	for (int kind = 0; kind < LIBRARY_LINK_KINDS && !err; kind++) {
		choose(attachment, kind);
		if (attachment->selection.count)
			err = attach_range(attachment, 0, attachment->selection.count);
	}
	return err;
}

/* The process may have ended. */
static int attach_in_place(struct attachment *attachment, pid_t pid)
{
	struct library_probes *probes = attachment->probes;
	struct probed_place *place = probed_places_get(&probes->places, attachment->selecting.file, pid);
	int err;

	if (!place)
		return -ENOMEM;
	attachment->selecting.first = place->covered;
	err = attach_in_process(attachment, pid);
	place->covered = probes->plan->function_count;
	return err == -ESRCH ? 0 : err;
}

/* Wherever a file is to be probed; only is that process, 0 stands for all. */
static int attach_in_places(struct attachment *attachment, pid_t only)
{
	const struct library_probes *probes = attachment->probes;
	const struct linked_file *file = &probes->files->items[attachment->selecting.file];
	int err = 0;

	if (only)
		return linked_file_has_process(file, only) ? attach_in_place(attachment, only) : 0;
	if (probes->where.everywhere || probes->where.command)
		return attach_in_place(attachment, probes->where.command);
	for (size_t i = 0; i < file->process_count && !err; i++)
		err = attach_in_place(attachment, file->processes[i]);
	return err;
}

static bool has_functions(const struct plan *plan, uint32_t file)
{
	for (size_t i = 0; i < plan->function_count; i++) {
		if (plan->functions[i].file == file)
			return true;
	}
	return false;
}

/* Finds the exits that are needed, and makes room for all that may be probed. */
static int prepare(struct attachment *attachment, bool at_once)
{
	const struct library_probes *probes = attachment->probes;
	uint32_t file = attachment->selecting.file;

	return return_exits_find(probes->plan, &probes->files->items[file], file, attachment->file_fd, at_once) ?:
		       library_selection_make(&attachment->selection, probes->plan);
}

static int attach_file(struct library_probes *probes, uint32_t file, pid_t only)
{
	struct attachment attachment = {
		.probes = probes,
		.selecting = { .kernel = probes->kernel, .file = file },
		.file_fd = component_open(&probes->files->items[file].component),
	};
	int err = 0;

	library_describe_functions(probes, file, attachment.file_fd);
	if (attachment.file_fd < 0)
		return 0;
	err = library_sharing_identify(&probes->sharing, file, attachment.file_fd);
	library_sharing_decide(&probes->sharing, probes->plan, file, probes->described, 0);
	err = err ?: prepare(&attachment, only) ?: attach_in_places(&attachment, only);
	library_describe_links(probes, file);
	library_selection_clear(&attachment.selection);
	close(attachment.file_fd);
	return err;
}

static int attach_files(struct library_probes *probes, pid_t only)
{
	int err = 0;

	for (uint32_t file = 0; file < probes->files->count && !err; file++) {
		if (has_functions(probes->plan, file))
			err = attach_file(probes, file, only);
	}
	probes->described = probes->plan->function_count;
	return err;
}

/* What holds for all functions. */
static enum plan_untimed find_untimed(const struct library_probes *probes)
{
	if (probes->where.returns == RETURN_PROBES_NONE)
		return PLAN_NOT_ASKED;
	if (probes->where.returns == RETURN_PROBES_EXITS)
		return PLAN_EXITS_ASKED;
	return probes->kernel->session_fd < 0 ? PLAN_KERNEL_TOO_OLD : PLAN_TIMED;
}

static int prepare_sharing(struct library_probes *probes)
{
	struct library_sharing *sharing = &probes->sharing;

	sharing->untimed = find_untimed(probes);
	sharing->everywhere = probes->where.everywhere;
	sharing->asks_for_all = probes->where.returns == RETURN_PROBES_ALL;
	return library_sharing_grow(sharing, probes->files->count);
}

/* In all processes that it is to be, or in only one. */
static int attach(struct library_probes *probes, pid_t only)
{
	int err = prepare_sharing(probes);

	if (err)
		return err;
	err = other_tracers_begin(&probes->sharing.others, probes->kernel) ?: attach_files(probes, only);
	other_tracers_end(&probes->sharing.others);
	return err;
}

int library_probes_attach(struct library_probes *probes)
{
	int err = attach(probes, 0);

	if (err)
		library_probes_detach(probes);
	return err;
}

int library_probes_attach_process(struct library_probes *probes, pid_t pid)
{
	return attach(probes, pid);
}

/* In all places where the file is probed. */
static int attach_again(struct attachment *attachment)
{
	const struct library_probes *probes = attachment->probes;
	int err = 0;

	for (size_t i = 0; i < probes->places.count && !err; i++) {
		if (probes->places.items[i].file != attachment->selecting.file)
			continue;
		err = attach_in_process(attachment, probes->places.items[i].pid);
		/* It has ended, and nothing is left to be probed. */
		if (err == -ESRCH)
			err = 0;
		probes->places.items[i].covered = probes->plan->function_count;
	}
	return err;
}

/* Tells the kernel side that there are, or will be, links of several generations. */
static void tell_relinked(struct library_probes *probes, uint32_t file, bool is_relinked)
{
	probes->sharing.shares[file].is_relinked = is_relinked;
	for (size_t i = 0; i < probes->described; i++) {
		if (probes->plan->functions[i].file == file)
			__atomic_store_n(&probes->kernel->functions[i + 1].is_relinked, is_relinked,
					 __ATOMIC_SEQ_CST);
	}
}

/* New links in the place of a file's old ones, which are retired. */
static int replace_links(struct attachment *attachment)
{
	struct library_probes *probes = attachment->probes;
	uint32_t file = attachment->selecting.file;
	size_t before = probes->links.count;
	int err;

	tell_relinked(probes, file, true);
	err = attach_again(attachment);
	library_describe_links(probes, file);
	if (err) {
		library_links_retire(&probes->links, file, before, probes->links.count);
		return err;
	}
	library_links_retire(&probes->links, file, 0, before);
	probes->sharing.shares[file].replaced = probes->links.retired;
	for (size_t i = 0; i < probes->described; i++)
		probes->kernel->functions[i + 1].generation += probes->plan->functions[i].file == file;
	return 0;
}

void library_probes_settle(struct library_probes *probes)
{
	for (uint32_t file = 0; file < probes->sharing.count; file++) {
		const struct library_share *share = &probes->sharing.shares[file];

		if (share->is_relinked && !library_links_are_closing(&probes->links, file, share->replaced))
			tell_relinked(probes, file, false);
	}
}

/* Where each probe is a link, none is replaced. */
static void drop_links(struct attachment *attachment)
{
	for (int kind = 0; kind < LIBRARY_LINK_KINDS; kind++) {
		choose(attachment, kind);
		library_links_retire_others(&attachment->probes->links, attachment->selecting.file, kind,
					    &attachment->selection);
	}
	library_describe_links(attachment->probes, attachment->selecting.file);
}

/* All that the file has. */
static void unhook(struct library_probes *probes, uint32_t file, uint64_t now_ns)
{
	for (size_t i = 0; i < probes->plan->function_count; i++) {
		struct plan_function *function = &probes->plan->functions[i];
		struct scaler_function *shared = &probes->kernel->functions[i + 1];

		if (function->file != file || function->omission || function->unhooked_ns)
			continue;
		if (!shared->unhooked_ns)
			shared->unhooked_ns = now_ns;
		function->unhooked_ns = shared->unhooked_ns;
	}
	library_links_retire(&probes->links, file, 0, probes->links.count);
}

int library_probes_relink(struct library_probes *probes, uint32_t file)
{
	struct attachment attachment = {
		.probes = probes,
		.selecting = { .kernel = probes->kernel, .file = file, .is_next = true },
		.file_fd = component_open(&probes->files->items[file].component),
	};
	int err;

	if (attachment.file_fd < 0) {
		unhook(probes, file, clock_now_ns());
		return 0;
	}
	err = prepare(&attachment, true);
	if (!err && uprobe_link_plain() == UPROBE_LINK_EVENT)
		drop_links(&attachment);
	else if (!err)
		err = replace_links(&attachment);
	library_selection_clear(&attachment.selection);
	close(attachment.file_fd);
	return err;
}

/* Those that are not to have probes any more are not recorded from now on; the probes go with the next links. */
static void tell_unhooked(struct library_probes *probes, uint32_t file)
{
	for (size_t i = 0; i < probes->described; i++) {
		const struct plan_function *function = &probes->plan->functions[i];
		struct scaler_function *shared = &probes->kernel->functions[i + 1];

		if (function->file == file && function->unhooked_ns && !shared->unhooked_ns)
			shared->unhooked_ns = function->unhooked_ns;
	}
}

static int heed_in_file(struct library_probes *probes, uint32_t file)
{
	if (!library_sharing_decide(&probes->sharing, probes->plan, file, 0, probes->described))
		return 0;
	tell_unhooked(probes, file);
	return library_probes_relink(probes, file);
}

int library_probes_heed(struct library_probes *probes, pid_t pid, uint32_t hazards)
{
	int err = prepare_sharing(probes);

	if (!hazards || probes->sharing.untimed || probes->where.everywhere || probes->sharing.asks_for_all)
		return err;
	for (uint32_t file = 0; file < probes->files->count && !err; file++) {
		const struct linked_file *item = &probes->files->items[file];
		struct library_share *share = &probes->sharing.shares[file];

		if ((pid && !linked_file_has_process(item, pid)) || !(hazards & ~share->hazards))
			continue;
		share->hazards |= hazards;
		err = heed_in_file(probes, file);
		share->made_safe = probes->links.retired;
	}
	return err;
}

bool library_probes_are_closing(const struct library_probes *probes, pid_t pid)
{
	bool are_closing = false;

	for (uint32_t file = 0; file < probes->sharing.count && !are_closing; file++)
		are_closing = linked_file_has_process(&probes->files->items[file], pid) &&
			      library_links_are_closing(&probes->links, file,
							probes->sharing.shares[file].made_safe);
	return are_closing;
}

int library_probes_heed_others(struct library_probes *probes)
{
	struct other_tracers *others = &probes->sharing.others;
	uint32_t before = others->last_id;
	int err = other_tracers_look(others, probes->kernel);

	if (others->last_id == before)
		return err;
	for (uint32_t file = 0; file < probes->sharing.count && !err; file++)
		err = heed_in_file(probes, file);
	return err;
}

void library_probes_forget(struct library_probes *probes, pid_t pid)
{
	uint32_t file;

	library_links_retire_process(&probes->links, pid);
	while (probed_places_take(&probes->places, pid, &file))
		library_describe_links(probes, file);
}

/* Of links on the tracer's own functions. */
#define NO_FILE UINT32_MAX

void library_probes_detach(struct library_probes *probes)
{
	library_links_retire_all(&probes->links);
	for (size_t i = 0; i < probes->cost_links.count; i++)
		uprobe_closer_take(probes->links.closer, probes->cost_links.items[i], NO_FILE);
	probes->cost_links.count = 0;
	probed_places_clear(&probes->places);
	library_sharing_clear(&probes->sharing);
}

void library_probes_close(struct library_probes *probes)
{
	library_probes_detach(probes);
	library_links_close(&probes->links);
}
