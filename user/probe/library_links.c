// SPDX-License-Identifier: GPL-2.0-only
/* A list of links, and what closes those that are retired from it. */
#include "probe/library_links.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"

int library_links_open(struct library_links *links)
{
	return uprobe_closer_open(&links->closer);
}

int library_links_add(struct library_links *links, const struct library_link *link)
{
	struct library_link *items =
		array_reserve(links->items, links->count, &links->capacity, sizeof(*items));

	if (!items) {
		close(link->fd);
		return -ENOMEM;
	}
	links->items = items;
	items[links->count++] = *link;
	return 0;
}

/* One is kept, or retired. */
static void keep_if(struct library_links *links, size_t *kept, size_t index, bool is_kept)
{
	struct library_link link = links->items[index];

	if (is_kept)
		links->items[(*kept)++] = link;
	else
		links->retired = uprobe_closer_take(links->closer, link.fd, link.file);
}

void library_links_retire(struct library_links *links, const struct library_retiring *retiring)
{
	size_t kept = retiring->first;

	for (size_t i = retiring->first; i < links->count; i++) {
		const struct library_link *link = &links->items[i];

		keep_if(links, &kept, i,
			i >= retiring->end || link->file != retiring->file ||
				link->batch < retiring->first_batch || link->batch >= retiring->end_batch);
	}
	links->count = kept;
}

void library_links_retire_process(struct library_links *links, pid_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < links->count; i++)
		keep_if(links, &kept, i, links->items[i].pid != pid);
	links->count = kept;
}

void library_links_retire_place(struct library_links *links, uint32_t file, pid_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < links->count; i++)
		keep_if(links, &kept, i, links->items[i].pid != pid || links->items[i].file != file);
	links->count = kept;
}

void library_links_retire_others(struct library_links *links, uint32_t file,
				 const struct library_selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < links->count; i++) {
		const struct library_link *link = &links->items[i];

		keep_if(links, &kept, i,
			link->file != file || library_selection_has(selection, link->offset));
	}
	links->count = kept;
}

bool library_links_are_closing(const struct library_links *links, uint32_t file, uint64_t retired)
{
	return retired && uprobe_closer_is_busy(links->closer, file, retired);
}

void library_links_retire_all(struct library_links *links)
{
	for (size_t i = 0; i < links->count; i++)
		links->retired = uprobe_closer_take(links->closer, links->items[i].fd, links->items[i].file);
	links->count = 0;
}

void library_links_wait_gone(const struct library_links *links)
{
	uprobe_closer_wait_gone(links->closer, links->retired);
}

void library_links_close(struct library_links *links)
{
	library_links_retire_all(links);
	uprobe_closer_finish(links->closer);
	free(links->items);
	*links = (struct library_links){ 0 };
}
