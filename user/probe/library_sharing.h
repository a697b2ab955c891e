/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What it means to a file's functions that processes, and other tracers, share the breakpoints on them: which of them are
 * only counted, and which get no probes.
 */
#ifndef SCALER_PROBE_LIBRARY_SHARING_H
#define SCALER_PROBE_LIBRARY_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/other_tracers.h"
#include "probe/plan.h"

/* Which functions' returns are to be probed, too. */
enum return_probes {
	RETURN_PROBES_SAFE,  /* where that is harmless */
	RETURN_PROBES_EXITS, /* nowhere: calls are timed by probes at functions' exits alone */
	RETURN_PROBES_NONE,
	RETURN_PROBES_ALL, /* wherever the function itself does not break: programs may end by it */
};

/* What matters to the functions of one file. */
struct library_share {
	uint32_t hazards; /* of all processes that have it: enum scaler_return_hazard */
	struct file_identity identity;
	bool is_relinked; /* the kernel side knows that there are links of several generations */
	/* What the number of links retired was as the last was replaced, and as one was replaced because of a hazard. */
	uint64_t replaced;
	uint64_t made_safe;
};

struct library_sharing {
	struct library_share *shares; /* owned; by file */
	size_t count;
	struct other_tracers others;
	enum plan_untimed untimed; /* why no function at all is timed; PLAN_TIMED: some may be */
	bool everywhere;
	bool asks_for_all; /* whatever happens: others do not matter */
};

/* There are so many files by now. Returns 0 or -ENOMEM. */
int library_sharing_grow(struct library_sharing *sharing, size_t files);

/* The file has been opened. Returns 0 or -ENOMEM. */
int library_sharing_identify(struct library_sharing *sharing, uint32_t file, int fd);

/*
 * Decides about the file's functions from number first on: what is decided once stays. Those below end have probes; of
 * these, one that is not to have any more is unhooked, too. Returns whether anything about them has changed.
 */
bool library_sharing_decide(const struct library_sharing *sharing, struct plan *plan, uint32_t file,
			    size_t first, size_t end);

void library_sharing_clear(struct library_sharing *sharing);

#endif
