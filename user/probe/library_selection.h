/* SPDX-License-Identifier: GPL-2.0-only */
/* What one link probes: instructions of one file, each with the function that it belongs to as its cookie. */
#ifndef SCALER_PROBE_LIBRARY_SELECTION_H
#define SCALER_PROBE_LIBRARY_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "probe/library_kernel.h"

struct library_selection {
	uint64_t *offsets; /* owned, as is the next; in the file */
	uint64_t *cookies;
	size_t count;
	struct selected_probe *probes; /* owned; of which those two are made */
};

/* What a link is for. */
enum library_link_use {
	LIBRARY_LINK_RESIDENT, /* to count and time all calls */
	LIBRARY_LINK_WINDOW,   /* of functions that have probes in windows only */
	LIBRARY_LINK_SCREEN, /* to see how often entries are hit, of functions that are to have probes all the time */
};

/* Of what. */
struct library_selecting {
	const struct library_kernel *kernel;
	enum library_link_use use;
	uint32_t file;
	size_t first; /* of the plan's functions: no lower numbers */
	size_t end;   /* and none from here on */
	bool is_next; /* for a link of a later generation than the file's other links, which it replaces */
};

/* Makes room for whatever may be selected of a plan. Returns 0 or -ENOMEM; the caller clears it in both cases. */
int library_selection_make(struct library_selection *selection, const struct plan *plan);
void library_selection_clear(struct library_selection *selection);

/*
 * Selects what is to be probed: nothing of functions that are omitted, or have been unhooked but for windows. Exits come
 * first, so that no call is opened whose end would not be seen: the kernel sets the probes of a link in this order.
 */
void library_selection_choose(struct library_selection *selection, const struct plan *plan,
			      const struct library_selecting *selecting);

bool library_selection_has(const struct library_selection *selection, uint64_t offset);

/*
 * The kernel does not probe that one. An entry's function is omitted from then on; a function that may leave by an exit
 * is not timed at its exits any more.
 */
void library_selection_refuse(const struct library_selection *selection, struct plan *plan,
			      const struct library_selecting *selecting, size_t index);

#endif
