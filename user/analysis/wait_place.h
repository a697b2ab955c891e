/* SPDX-License-Identifier: GPL-2.0-only */
/* Where in user space a thread waited, or woke another. */
#ifndef SCALER_ANALYSIS_WAIT_PLACE_H
#define SCALER_ANALYSIS_WAIT_PLACE_H

#include "analysis/attribution.h"
#include "analysis/frames.h"
#include "base/globs.h"

struct wait_place {
	struct frames frames;  /* with the stack; none are known if their count is 0 */
	struct call_path path; /* who called for it; without frames nothing is there */
};

struct wait_place wait_place_find(struct profile *profile, const struct places *places,
				  const struct scaler_sample *where);

/* Whether it is in a function of such a name: the library's, the issuing one, or the one that called for it. */
bool wait_place_is_in(const struct wait_place *place, const struct globs *functions);

/* Whether all that is known is this site in the kernel. */
bool wait_place_is_kernel(const struct wait_place *place, uint64_t kernel);

#endif
