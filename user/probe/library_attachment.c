// SPDX-License-Identifier: GPL-2.0-only
/*
 * A link for each batch of functions, process and way to probe. One function that cannot be probed makes the kernel refuse
 * all of a link: such functions are known by their first bytes, or found by halving. Where the kernel has no links for many
 * functions, each probe is one.
 */
#include "probe/library_attachment.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "plan/call_exits.h"
#include "probe/uprobe_link.h"
#include "target/component.h"

/* Whether it is the functions' or their file's fault. */
static bool is_refusal(int err)
{
	return err == -UPROBE_LINK_REFUSED || err == -EINVAL || err == -EIO;
}

static int attach_range(struct library_attachment *attachment, size_t first, size_t count)
{
	const struct library_selection *selection = &attachment->selection;
	const struct uprobe_link description = {
		.kind = uprobe_link_plain(),
		.program_fd = attachment->probes->kernel->hit_fd,
		.file_fd = attachment->file_fd,
		.offsets = selection->offsets + first,
		.cookies = selection->cookies + first,
		.count = (uint32_t)count,
		.pid = attachment->pid,
	};
	struct library_link link = {
		.file = attachment->selecting.file,
		.batch = (uint32_t)(attachment->selecting.first / LIBRARY_BATCH),
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

void library_attachment_choose(struct library_attachment *attachment)
{
	library_selection_choose(&attachment->selection, attachment->probes->plan, &attachment->selecting);
}

static bool are_too_many(struct library_attachment *attachment)
{
	library_attachment_choose(attachment);
	return attachment->probes->links.count + attachment->selection.count > LIBRARY_EVENTS_MAX;
}

/* Those that are selected of a range. Those that were found not to be probed in one process are omitted in the next. */
static int attach_selected(struct library_attachment *attachment)
{
	size_t before = attachment->links->count;
	int err;

	library_attachment_choose(attachment);
	err = attachment->selection.count ? attach_range(attachment, 0, attachment->selection.count) : 0;
	attachment->has_attached = attachment->links->count > before;
	return err;
}

static bool knows_all(const struct library_attachment *attachment)
{
	const struct library_selecting *selecting = &attachment->selecting;
	const struct plan *plan = attachment->probes->plan;
	bool knows_all = true;

	for (size_t i = selecting->first; i < selecting->end && i < plan->function_count; i++)
		knows_all &= plan->functions[i].file != selecting->file || plan->functions[i].is_screened;
	return knows_all;
}

/*
 * Has probes on the entries of a batch for a moment, by which those show that would cost too much. Where there are such,
 * all are taken out before others come, so that the hot ones are not hit for longer; else that has time.
 */
static int screen(struct library_attachment *attachment)
{
	struct library_probes *probes = attachment->probes;
	struct library_selecting *selecting = &attachment->selecting;
	bool is_hot = false;
	int err;

	selecting->use = LIBRARY_LINK_SCREEN;
	attachment->links = &attachment->screens;
	attachment->screens.closer = probes->links.closer;
	err = attach_selected(attachment);
	selecting->use = LIBRARY_LINK_RESIDENT;
	attachment->links = &probes->links;
	if (!err && attachment->has_attached)
		err = probes->gate->screen(probes->gate->context, selecting->first, selecting->end, &is_hot);
	if (is_hot) {
		library_links_retire_all(&attachment->screens);
		library_links_wait_gone(&attachment->screens);
	}
	return err;
}

/* A command that has not begun calls nothing. */
static bool is_running(const struct library_probes *probes)
{
	return probes->attaching || !probes->where.command;
}

static int attach_batch(struct library_attachment *attachment)
{
	const struct library_probes *probes = attachment->probes;
	int err = probes->gate && is_running(probes) && uprobe_link_plain() == UPROBE_LINK_MULTI &&
				  !attachment->selecting.is_next && !knows_all(attachment) ?
			  screen(attachment) :
			  0;

	return err ?: attach_selected(attachment);
}

int library_attachment_make(struct library_attachment *attachment, struct probed_place *place, size_t first,
			    size_t end)
{
	struct library_probes *probes = attachment->probes;
	const struct library_gate *gate = probes->gate;
	int err;

	attachment->pid = place->pid;
	attachment->selecting.first = first;
	attachment->selecting.end = end;
	err = uprobe_link_plain() == UPROBE_LINK_EVENT && are_too_many(attachment) ? -E2BIG : 0;
	while (first < end && !err) {
		size_t next = (first / LIBRARY_BATCH + 1) * LIBRARY_BATCH;

		attachment->selecting.first = first;
		attachment->selecting.end = first = next < end ? next : end;
		err = attach_batch(attachment);
		if (place->covered < first)
			place->covered = first;
		if (!err && attachment->has_attached && gate && is_running(probes))
			err = gate->look(gate->context);
	}
	library_links_retire_all(&attachment->screens);
	/* The process may have ended. */
	return err == -ESRCH ? 0 : err;
}

int library_attachment_make_window(struct library_attachment *attachment, const struct probed_place *place)
{
	int err;

	attachment->pid = place->pid;
	attachment->selecting.use = LIBRARY_LINK_WINDOW;
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
	library_links_retire_all(&attachment->screens);
	free(attachment->screens.items);
	if (attachment->file_fd >= 0)
		close(attachment->file_fd);
}
