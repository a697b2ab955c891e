// SPDX-License-Identifier: GPL-2.0-only
/* Lists of links: what is retired is closed together. */
#include "probe/library_links.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "probe/uprobe_closing.h"
#include "probe/uprobe_link.h"

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

void library_links_retire_fd(struct library_links *links, int fd)
{
	int *retired = array_reserve(links->retired, links->retired_count, &links->retired_capacity,
				     sizeof(*retired));

	if (!retired) {
		close(fd);
		return;
	}
	links->retired = retired;
	retired[links->retired_count++] = fd;
}

/* One is kept, or retired. */
static void keep_if(struct library_links *links, size_t *kept, size_t index, bool is_kept)
{
	struct library_link link = links->items[index];

	if (is_kept)
		links->items[(*kept)++] = link;
	else
		library_links_retire_fd(links, link.fd);
}

void library_links_retire(struct library_links *links, uint32_t file, size_t first, size_t end)
{
	size_t kept = first;

	for (size_t i = first; i < links->count; i++)
		keep_if(links, &kept, i, i >= end || links->items[i].file != file);
	links->count = kept;
}

void library_links_retire_process(struct library_links *links, pid_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < links->count; i++)
		keep_if(links, &kept, i, links->items[i].pid != pid);
	links->count = kept;
}

void library_links_retire_others(struct library_links *links, uint32_t file, enum library_link_kind kind,
				 const struct library_selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < links->count; i++) {
		const struct library_link *link = &links->items[i];

		keep_if(links, &kept, i,
			link->file != file || link->kind != kind ||
				library_selection_has(selection, link->offset));
	}
	links->count = kept;
}

void library_links_close_retired(struct library_links *links, uint32_t *is_late)
{
	if (links->retired_count)
		uprobe_links_close(links->retired, links->retired_count, is_late);
	links->retired_count = 0;
}

void library_links_close_retired_meanwhile(struct library_links *links, uint32_t *is_late)
{
	if (uprobe_link_plain() != UPROBE_LINK_EVENT) {
		library_links_close_retired(links, is_late);
		return;
	}
	uprobe_links_close_behind(links->retired, links->retired_count);
	links->retired_count = 0;
}

void library_links_clear(struct library_links *links, uint32_t *is_late)
{
	for (size_t i = 0; i < links->count; i++)
		library_links_retire_fd(links, links->items[i].fd);
	library_links_close_retired(links, is_late);
	free(links->items);
	free(links->retired);
	*links = (struct library_links){ 0 };
}
