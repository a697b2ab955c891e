/* SPDX-License-Identifier: GPL-2.0-only */
/* The links of library probes: those that there are, and those that nobody needs any more and that are still to be closed. */
#ifndef SCALER_PROBE_LIBRARY_LINKS_H
#define SCALER_PROBE_LIBRARY_LINKS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/library_selection.h"

/* Probes of one kind on some of a file's functions, in one process. */
struct library_link {
	uint32_t file; /* its number among the plan's */
	enum library_link_kind kind;
	pid_t pid;       /* 0: everywhere */
	uint64_t offset; /* of the first */
	int fd;
};

struct library_links {
	struct library_link *items; /* owned, as is the next */
	size_t count;
	size_t capacity;
	int *retired;
	size_t retired_count;
	size_t retired_capacity;
};

/* Takes the link, which it closes if it cannot keep it. Returns 0 or -ENOMEM. */
int library_links_add(struct library_links *links, const struct library_link *link);

/* Retires the file's links among those from first to end. */
void library_links_retire(struct library_links *links, uint32_t file, size_t first, size_t end);

/* Retires all in that process. */
void library_links_retire_process(struct library_links *links, pid_t pid);

/* Retires of the file's links of one kind, where each is one probe, those that are not selected. */
void library_links_retire_others(struct library_links *links, uint32_t file, enum library_link_kind kind,
				 const struct library_selection *selection);

/* A link that is to be closed when others are. Takes it. */
void library_links_retire_fd(struct library_links *links, int fd);

/* Closes the retired ones as uprobe_links_close() does; or waits for that only where it takes no longer for many than for one. */
void library_links_close_retired(struct library_links *links, uint32_t *is_late);
void library_links_close_retired_meanwhile(struct library_links *links, uint32_t *is_late);

/* Closes all. */
void library_links_clear(struct library_links *links, uint32_t *is_late);

#endif
