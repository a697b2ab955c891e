/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes links of some of a file's functions, wherever these are to be probed. */
#ifndef SCALER_PROBE_LIBRARY_ATTACHMENT_H
#define SCALER_PROBE_LIBRARY_ATTACHMENT_H

#include "probe/library_probes.h"
#include "probe/library_selection.h"

/* What links of one file are made of. */
struct library_attachment {
	struct library_probes *probes;
	struct library_selection selection; /* owned */
	struct library_selecting selecting; /* for the next link */
	pid_t pid;                          /* of that */
	struct library_links *links;        /* that are made go there; not owned */
	uint32_t kinds;                     /* of links that are made: a bit for each */
	bool has_attached;                  /* anything of the latest batch */
	int file_fd;                        /* below 0: the file cannot be opened */
};

/* Begins with all kinds of links, for the probes' own. The caller closes it. */
struct library_attachment library_attachment_open(struct library_probes *probes, uint32_t file);

/* Finds the exits that are needed, and makes room for all that may be probed. Returns 0 or a negative errno. */
int library_attachment_prepare(struct library_attachment *attachment, bool at_once);

/* Selects what is to be probed in links of one kind. */
void library_attachment_choose(struct library_attachment *attachment, enum library_link_kind kind);

/*
 * Attaches to the functions from first to end that the place is to have probes on. Returns 0, also if the process has
 * ended, or a negative errno.
 */
int library_attachment_make(struct library_attachment *attachment, struct probed_place *place, size_t first,
			    size_t end);

/* The same of those that have probes in windows, for links of a window; nobody is called between them. */
int library_attachment_make_window(struct library_attachment *attachment, const struct probed_place *place);

void library_attachment_close(struct library_attachment *attachment);

#endif
