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
	struct library_links screens;       /* that are not needed any more; owned */
	bool has_attached;                  /* anything of the latest batch */
	int file_fd;                        /* below 0: the file cannot be opened */
};

/* Begins with the probes' own links. The caller closes it. */
struct library_attachment library_attachment_open(struct library_probes *probes, uint32_t file);

/* Finds the exits that are needed, and makes room for all that may be probed. Returns 0 or a negative errno. */
int library_attachment_prepare(struct library_attachment *attachment, bool at_once);

/* Selects what is to be probed in the next link. */
void library_attachment_choose(struct library_attachment *attachment);

/*
 * Attaches to the functions from first to end that the place is to have probes on; to those that nobody knows yet for a
 * moment only at first, if what they cost is limited. Returns 0, also if the process has ended, or a negative errno.
 */
int library_attachment_make(struct library_attachment *attachment, struct probed_place *place, size_t first,
			    size_t end);

/* The same of those that have probes in windows, for a link of a window; nobody is called between them. */
int library_attachment_make_window(struct library_attachment *attachment, const struct probed_place *place);

void library_attachment_close(struct library_attachment *attachment);

#endif
