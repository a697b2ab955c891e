// SPDX-License-Identifier: GPL-2.0-only
/* Attaches to files in processes, and takes out again what is not to be probed any more. */
#include "probe/library_probes.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "plan/costly_cache.h"
#include "plan/plan_site.h"
#include "probe/library_attachment.h"
#include "probe/library_description.h"
#include "probe/uprobe_link.h"
#include "target/component.h"

/* Which functions of a file. */
struct range {
	uint32_t file;
	size_t first, end;
};

/* What it does not have yet. */
static int cover_place(struct library_attachment *attachment, pid_t pid)
{
	struct library_probes *probes = attachment->probes;
	struct probed_place *place;
	int err;

	if (probe_refusals_have(&probes->refusals, pid, attachment->selecting.file))
		return 0;
	place = probed_places_get(&probes->places, attachment->selecting.file, pid);
	if (!place)
		return -ENOMEM;
	err = library_attachment_make(attachment, place, place->covered, probes->plan->function_count);
	place->covered = probes->plan->function_count;
	return err;
}

/* Wherever a file is to be probed; only is that process, 0 stands for all. */
static int attach_in_places(struct library_attachment *attachment, pid_t only)
{
	const struct library_probes *probes = attachment->probes;
	const struct linked_file *file = &probes->files->items[attachment->selecting.file];
	int err = 0;

	if (only)
		return linked_file_has_process(file, only) ? cover_place(attachment, only) : 0;
	if (probes->where.everywhere || probes->where.command)
		return cover_place(attachment, probes->where.command);
	for (size_t i = 0; i < file->process_count && !err; i++)
		err = cover_place(attachment, file->processes[i]);
	return err;
}

static bool has_functions(const struct plan *plan, const struct range *range)
{
	for (size_t i = range->first; i < range->end && i < plan->function_count; i++) {
		if (plan->functions[i].file == range->file)
			return true;
	}
	return false;
}

static bool is_read_somewhere(const struct library_probes *probes, uint32_t file)
{
	const struct linked_file *item = &probes->files->items[file];
	bool is_read = false;

	for (size_t i = 0; i < item->process_count && !is_read; i++)
		is_read = probe_refusals_have(&probes->refusals, item->processes[i], file);
	return is_read;
}

/* Everywhere is there, too. */
static void omit_read(const struct library_probes *probes, uint32_t file)
{
	if (!probes->where.everywhere || !is_read_somewhere(probes, file))
		return;
	for (size_t i = probes->described; i < probes->plan->function_count; i++) {
		struct plan_function *function = &probes->plan->functions[i];

		if (function->file == file && !function->omission)
			function->omission = PLAN_READ;
	}
}

static int attach_file(struct library_probes *probes, uint32_t file, pid_t only)
{
	struct library_attachment attachment = library_attachment_open(probes, file);
	int err;

	omit_read(probes, file);
	err = plan_sites_read(probes->plan, probes->described, file, attachment.file_fd);
	if (err || attachment.file_fd < 0)
		return err;
	err = costly_cache_load(
		&(const struct costly_file){ &probes->files->items[file], file, attachment.file_fd },
		probes->plan);
	err = err ?: library_sharing_identify(&probes->sharing, file, attachment.file_fd);
	library_sharing_decide(&probes->sharing, probes->plan, file, probes->described, 0);
	if (!err && probes->gate)
		err = probes->gate->admit(probes->gate->context, file, probes->described);
	err = err ?: library_attachment_prepare(&attachment, only);
	err = err   ?:
		      probed_files_tell(&probes->probed_files, probes->kernel, probes->plan,
					&probes->files->items[file], file, attachment.file_fd);
	/* What they cost is watched from the first hit on; where they are, besides, is known behind that. */
	library_describe_links(probes, file);
	err = err ?: attach_in_places(&attachment, only);
	library_describe_links(probes, file);
	library_attachment_close(&attachment);
	return err;
}

static int attach_files(struct library_probes *probes, pid_t only)
{
	int err = 0;

	for (uint32_t file = 0; file < probes->files->count && !err; file++) {
		if (has_functions(probes->plan, &(const struct range){ file, 0, SIZE_MAX }))
			err = attach_file(probes, file, only);
	}
	probes->described = probes->plan->function_count;
	return err;
}

static int prepare_sharing(struct library_probes *probes)
{
	probes->sharing.counts_only = probes->where.counts_only;
	return library_sharing_grow(&probes->sharing, probes->files->count);
}

/* In all processes that it is to be, or in only one. */
static int attach(struct library_probes *probes, pid_t only)
{
	int err = prepare_sharing(probes);

	if (err)
		return err;
	return other_tracers_look(&probes->sharing.others) ?: attach_files(probes, only);
}

int library_probes_attach(struct library_probes *probes)
{
	int err = attach(probes, 0);

	if (err)
		library_probes_detach(probes);
	return err;
}

static void tell_process(const struct library_probes *probes, pid_t pid)
{
	uint32_t probing = 0;

	if (probe_refusals_have(&probes->refusals, pid, PROBE_REFUSAL_ALL_FILES))
		probing |= SCALER_PROBES_REFUSED;
	if (probes->attaching == pid)
		probing |= SCALER_PROBES_ATTACHED;
	probed_files_tell_process(probes->kernel, pid, probing);
}

int library_probes_attach_process(struct library_probes *probes, pid_t pid)
{
	int err;

	/* What it has mapped by now to read it is seen; with what it maps from now on it waits until it has been told of. */
	probes->attaching = pid;
	tell_process(probes, pid);
	err = library_probes_refuse(probes, pid, PROBE_LOOK_AGAIN) ?: attach(probes, pid);
	probes->attaching = 0;
	tell_process(probes, pid);
	return err;
}

/* In all places where the file is probed, as far as they are covered. */
static int attach_again(struct library_attachment *attachment, const struct range *range)
{
	const struct library_probes *probes = attachment->probes;
	int err = 0;

	for (size_t i = 0; i < probes->places.count && !err; i++) {
		struct probed_place *place = &probes->places.items[i];
		size_t end = place->covered < range->end ? place->covered : range->end;

		if (place->file == range->file && range->first < end)
			err = library_attachment_make(attachment, place, range->first, end);
	}
	return err;
}

/* Tells the kernel side that there are, or will be, links of several generations: of windows there always may be. */
static void tell_relinked(struct library_probes *probes, const struct range *range, bool is_relinked)
{
	probes->sharing.shares[range->file].is_relinked = is_relinked;
	for (size_t i = range->first; i < range->end && i < probes->plan->function_count; i++) {
		if (probes->plan->functions[i].file == range->file)
			__atomic_store_n(&probes->kernel->functions[i + 1].is_relinked,
					 is_relinked || probes->plan->functions[i].is_windowed,
					 __ATOMIC_SEQ_CST);
	}
}

/* New links in the place of old ones, which are retired. */
static int replace_links(struct library_attachment *attachment, const struct range *range)
{
	struct library_probes *probes = attachment->probes;
	size_t before = probes->links.count;
	struct library_retiring retiring = {
		.file = range->file,
		.first_batch = range->first / LIBRARY_BATCH,
		.end_batch = (range->end + LIBRARY_BATCH - 1) / LIBRARY_BATCH,
		.end = before,
	};
	int err;

	tell_relinked(probes, range, true);
	err = attach_again(attachment, range);
	library_describe_links(probes, range->file);
	if (err) {
		retiring.first = before;
		retiring.end = probes->links.count;
		library_links_retire(&probes->links, &retiring);
		return err;
	}
	library_links_retire(&probes->links, &retiring);
	probes->sharing.shares[range->file].replaced = probes->links.retired;
	for (size_t i = range->first; i < range->end && i < probes->plan->function_count; i++)
		probes->kernel->functions[i + 1].generation += probes->plan->functions[i].file == range->file;
	return 0;
}

void library_probes_settle(struct library_probes *probes)
{
	for (uint32_t file = 0; file < probes->sharing.count; file++) {
		const struct library_share *share = &probes->sharing.shares[file];
		const struct range all = { file, 0, probes->plan->function_count };

		if (share->is_relinked && !library_links_are_closing(&probes->links, file, share->replaced))
			tell_relinked(probes, &all, false);
	}
}

/* Where each probe is a link, none is replaced. */
static void drop_links(struct library_attachment *attachment, const struct range *range)
{
	attachment->selecting.first = 0;
	attachment->selecting.end = attachment->probes->plan->function_count;
	library_attachment_choose(attachment);
	library_links_retire_others(&attachment->probes->links, range->file, &attachment->selection);
	library_describe_links(attachment->probes, range->file);
}

/* All that the file has. */
static void unhook(struct library_probes *probes, uint32_t file, uint64_t now_ns)
{
	const struct library_retiring all = { .file = file,
					      .end_batch = SIZE_MAX,
					      .end = probes->links.count };

	for (size_t i = 0; i < probes->plan->function_count; i++) {
		struct plan_function *function = &probes->plan->functions[i];
		struct scaler_function *shared = &probes->kernel->functions[i + 1];

		if (function->file != file || function->omission || function->unhooked_ns)
			continue;
		if (!shared->unhooked_ns)
			shared->unhooked_ns = now_ns;
		function->unhooked_ns = shared->unhooked_ns;
	}
	library_links_retire(&probes->links, &all);
}

static int relink(struct library_probes *probes, const struct range *range)
{
	struct library_attachment attachment = library_attachment_open(probes, range->file);
	int err;

	if (attachment.file_fd < 0) {
		unhook(probes, range->file, clock_now_ns());
		return 0;
	}
	attachment.selecting.is_next = true;
	err = library_attachment_prepare(&attachment, true);
	if (!err && uprobe_link_plain() == UPROBE_LINK_EVENT)
		drop_links(&attachment, range);
	else if (!err)
		err = replace_links(&attachment, range);
	library_attachment_close(&attachment);
	return err;
}

int library_probes_relink(struct library_probes *probes, size_t first)
{
	struct range range = { .first = first, .end = first + LIBRARY_BATCH };
	int err = 0;

	/* Functions of a file come together, but for those that were added; of files that came since none has a probe yet. */
	for (range.file = 0; range.file < probes->sharing.count && !err; range.file++) {
		if (has_functions(probes->plan, &range))
			err = relink(probes, &range);
	}
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
	return relink(probes, &(const struct range){ file, 0, probes->plan->function_count });
}

int library_probes_refuse(struct library_probes *probes, pid_t pid, enum probe_look how)
{
	int err = probe_refusals_look(&probes->refusals, probes->plan, probes->files, pid, how);
	size_t i = 0;

	tell_process(probes, pid);
	while (i < probes->places.count) {
		uint32_t file = probes->places.items[i].file;

		if (probes->places.items[i].pid != pid ||
		    !probe_refusals_have(&probes->refusals, pid, file)) {
			i++;
			continue;
		}
		library_links_retire_place(&probes->links, file, pid);
		probed_places_remove(&probes->places, i);
		library_describe_links(probes, file);
	}
	return err;
}

int library_probes_heed_others(struct library_probes *probes)
{
	struct other_tracers *others = &probes->sharing.others;
	uint32_t before = others->last_id;
	int err = other_tracers_look(others);

	if (others->last_id == before)
		return err;
	for (uint32_t file = 0; file < probes->sharing.count && !err; file++)
		err = heed_in_file(probes, file);
	return err;
}

void library_probes_forget(struct library_probes *probes, pid_t pid)
{
	uint32_t file;

	probe_refusals_forget(&probes->refusals, pid);
	tell_process(probes, pid);
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

/* For later runs. */
static void keep_costly(const struct library_probes *probes)
{
	for (uint32_t file = 0; file < probes->files->count; file++) {
		const struct linked_file *item = &probes->files->items[file];
		int fd = has_functions(probes->plan, &(const struct range){ file, 0, SIZE_MAX }) ?
				 component_open(&item->component) :
				 -1;

		costly_cache_store(&(const struct costly_file){ item, file, fd }, probes->plan);
		if (fd >= 0)
			close(fd);
	}
}

void library_probes_close(struct library_probes *probes)
{
	library_probes_detach(probes);
	library_links_close(&probes->links);
	if (probes->described)
		keep_costly(probes);
	probe_refusals_clear(&probes->refusals);
	probed_files_clear(&probes->probed_files);
}
