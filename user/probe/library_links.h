/* SPDX-License-Identifier: GPL-2.0-only */
/* The links of library probes: those that there are, and those that nobody needs any more, which are being closed. */
#ifndef SCALER_PROBE_LIBRARY_LINKS_H
#define SCALER_PROBE_LIBRARY_LINKS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/library_selection.h"
#include "probe/uprobe_closing.h"

/*
 * No more functions have their probes in one link: so few have to be probed anew when one of them is taken out, which takes
 * some 25 us each.
 */
#define LIBRARY_BATCH 64

/* Probes on some of a file's functions, in one process. */
struct library_link {
	uint32_t file;   /* its number among the plan's */
	uint32_t batch;  /* of functions: the number of the first, by LIBRARY_BATCH */
	pid_t pid;       /* 0: everywhere */
	uint64_t offset; /* of the first */
	int fd;
};

struct library_links {
	struct library_link *items; /* owned, as is the next */
	size_t count;
	size_t capacity;
	struct uprobe_closer *closer; /* NULL: there are no links yet */
	uint64_t retired;             /* the closer's number of the last link that it was given */
};

/* Before there are any. Returns 0 or a negative errno. */
int library_links_open(struct library_links *links);

/* Takes the link, which it closes if it cannot keep it. Returns 0 or -ENOMEM. */
int library_links_add(struct library_links *links, const struct library_link *link);

/*
 * Retires the file's links to batches from first_batch to end_batch, among those links that are there from index first to
 * end: they are closed, and nobody waits for that.
 */
struct library_retiring {
	uint32_t file;
	size_t first_batch, end_batch;
	size_t first, end;
};
void library_links_retire(struct library_links *links, const struct library_retiring *retiring);

/* Retires all in that process, or only the file's. */
void library_links_retire_process(struct library_links *links, pid_t pid);
void library_links_retire_place(struct library_links *links, uint32_t file, pid_t pid);

/* Retires of the file's links, where each is one probe, those that are not selected. */
void library_links_retire_others(struct library_links *links, uint32_t file,
				 const struct library_selection *selection);

/* Whether links of the file that were retired by when that was links->retired may still run their programs. */
bool library_links_are_closing(const struct library_links *links, uint32_t file, uint64_t retired);

/* Retires all. */
void library_links_retire_all(struct library_links *links);

/* Waits until none of those that were retired is hit any more. */
void library_links_wait_gone(const struct library_links *links);

/* The same, and waits until they are closed. */
void library_links_close(struct library_links *links);

#endif
