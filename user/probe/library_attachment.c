// SPDX-License-Identifier: GPL-2.0-only
/*
 * A link for each batch of functions, process and way to probe. One function that cannot be probed makes the kernel refuse
 * all of a link: such functions are known by their first bytes, or found by halving. Where the kernel has no links for many
 * functions, each probe is one.
 */
#include "probe/library_attachment.h"

#include <errno.h>
#include <unistd.h>

#include "probe/call_exits.h"
#include "probe/uprobe_link.h"
#include "target/component.h"

/* Whether it is the functions' or their file's fault. */
static bool is_refusal(int err)
{
	return err == -UPROBE_LINK_REFUSED || err == -EINVAL || err == -EIO;
}

static struct uprobe_link describe_range(const struct library_attachment *attachment, size_t first,
					 size_t count)
{
	const struct library_kernel *kernel = attachment->probes->kernel;
	const struct library_selection *selection = &attachment->selection;
	enum library_link_kind way = library_link_way(attachment->selecting.kind);
	const int programs[LIBRARY_LINK_WAYS] = {
		[LIBRARY_LINK_EXITS] = kernel->exit_fd,
		[LIBRARY_LINK_ENTRIES] = kernel->entry_fd,
	};

	return (struct uprobe_link){
		.kind = uprobe_link_plain(),
		.program_fd = programs[way],
		.file_fd = attachment->file_fd,
		.offsets = selection->offsets + first,
		.cookies = selection->cookies + first,
		.count = (uint32_t)count,
		.pid = attachment->pid,
	};
}

static int attach_range(struct library_attachment *attachment, size_t first, size_t count)
{
	const struct uprobe_link description = describe_range(attachment, first, count);
	struct library_link link = {
		.file = attachment->selecting.file,
		.batch = (uint32_t)(attachment->selecting.first / LIBRARY_BATCH),
		.kind = attachment->selecting.kind,
		.pid = attachment->pid,
		.offset = *description.offsets,
		.fd = -EINVAL,
	};

	if (description.kind != UPROBE_LINK_EVENT || count == 1)
		link.fd = uprobe_link_create(&description);
	if (link.fd >= 0)
		return library_links_add(attachment->links, &link);
	if (!is_refusal(link.fd))
		return link.fd;
	if (count > 1)
		return attach_range(attachment, first, count / 2) ?:
			       attach_range(attachment, first + count / 2, count - count / 2);
	library_selection_refuse(&attachment->selection, attachment->probes->plan, &attachment->selecting,
				 first);
	return 0;
}

void library_attachment_choose(struct library_attachment *attachment, enum library_link_kind kind)
{
	attachment->selecting.kind = kind;
	library_selection_choose(&attachment->selection, attachment->probes->plan, &attachment->selecting);
}

static bool are_too_many(struct library_attachment *attachment)
{
	size_t count = attachment->probes->links.count;

	for (int kind = 0; kind < LIBRARY_LINK_KINDS; kind++) {
		library_attachment_choose(attachment, kind);
		count += attachment->selection.count;
	}
	return count > LIBRARY_EVENTS_MAX;
}

/* Those that are selected of a range. Those that were found not to be probed in one process are omitted in the next. */
static int attach_selected(struct library_attachment *attachment)
{
	size_t before = attachment->links->count;
	int err = 0;

	/* In that order: no call is opened whose end would not be seen. */
	for (int kind = 0; kind < LIBRARY_LINK_KINDS && !err; kind++) {
		if (!(attachment->kinds >> kind & 1))
			continue;
		library_attachment_choose(attachment, kind);
		if (attachment->selection.count)
			err = attach_range(attachment, 0, attachment->selection.count);
	}
	attachment->has_attached = attachment->links->count > before;
	return err;
}

int library_attachment_make(struct library_attachment *attachment, struct probed_place *place, size_t first,
			    size_t end)
{
	struct library_probes *probes = attachment->probes;
	int err;

	attachment->pid = place->pid;
	attachment->selecting.first = first;
	attachment->selecting.end = end;
	err = uprobe_link_plain() == UPROBE_LINK_EVENT && are_too_many(attachment) ? -E2BIG : 0;
	while (first < end && !err) {
		size_t next = (first / LIBRARY_BATCH + 1) * LIBRARY_BATCH;

		attachment->selecting.first = first;
		attachment->selecting.end = first = next < end ? next : end;
		err = attach_selected(attachment);
		if (place->covered < first)
			place->covered = first;
		if (!err && attachment->has_attached && probes->pace && !probes->where.command)
			err = probes->pace(probes->pace_context, first);
	}
	/* The process may have ended. */
	return err == -ESRCH ? 0 : err;
}

int library_attachment_make_window(struct library_attachment *attachment, const struct probed_place *place)
{
	int err;

	attachment->pid = place->pid;
	attachment->selecting.is_of_window = true;
	/* Few are fast to close, and none is made anew for a part of its functions. */
	attachment->selecting.first = 0;
	attachment->selecting.end = attachment->probes->plan->function_count;
	err = attach_selected(attachment);
	return err == -ESRCH ? 0 : err;
}

struct library_attachment library_attachment_open(struct library_probes *probes, uint32_t file)
{
	return (struct library_attachment){
		.probes = probes,
		.selecting = { .kernel = probes->kernel, .file = file },
		.links = &probes->links,
		.kinds = LIBRARY_ALL_LINK_KINDS,
		.file_fd = component_open(&probes->files->items[file].component),
	};
}

int library_attachment_prepare(struct library_attachment *attachment, bool at_once)
{
	const struct library_probes *probes = attachment->probes;
	uint32_t file = attachment->selecting.file;

	return call_exits_find(probes->plan, &probes->files->items[file], file, attachment->file_fd, at_once) ?:
		       library_selection_make(&attachment->selection, probes->plan);
}

void library_attachment_close(struct library_attachment *attachment)
{
	library_selection_clear(&attachment->selection);
	if (attachment->file_fd >= 0)
		close(attachment->file_fd);
}
