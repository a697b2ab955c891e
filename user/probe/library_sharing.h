/* SPDX-License-Identifier: GPL-2.0-only */
/* Files whose functions have probes, which other tracers may probe, too: some functions then get none of ours. */
#ifndef SCALER_PROBE_LIBRARY_SHARING_H
#define SCALER_PROBE_LIBRARY_SHARING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"
#include "probe/other_tracers.h"

/* What matters to the functions of one file. */
struct library_share {
	struct file_identity identity;
	bool is_relinked;  /* the kernel side knows that there are links of several generations */
	uint64_t replaced; /* what the number of links retired was as the last was replaced */
};

struct library_sharing {
	struct library_share *shares; /* owned; by file */
	size_t count;
	struct other_tracers others;
	bool counts_only; /* no function at all is timed */
};

/* There are so many files by now. Returns 0 or -ENOMEM. */
int library_sharing_grow(struct library_sharing *sharing, size_t files);

/* The file has been opened. Returns 0 or -ENOMEM. */
int library_sharing_identify(struct library_sharing *sharing, uint32_t file, int fd);

/*
 * Decides about the file's functions from number first on: what is decided once stays. Those below end have probes; of
 * these, one that is not to have any more is unhooked, too. Returns whether that is so of any.
 */
bool library_sharing_decide(const struct library_sharing *sharing, struct plan *plan, uint32_t file,
			    size_t first, size_t end);

void library_sharing_clear(struct library_sharing *sharing);

#endif
