/* SPDX-License-Identifier: GPL-2.0-only */
/* The contexts of library calls by number: which call was made in which. */
#ifndef SCALER_ANALYSIS_CONTEXTS_H
#define SCALER_ANALYSIS_CONTEXTS_H

#include "model/profile.h"

struct contexts {
	const struct profile_context **by_number; /* owned; the profile's; NULL: there was no room for it */
	uint32_t last;
};

/* Of a profile that outlives it. Returns 0, or -ENOMEM with nothing to clear. */
int contexts_index(const struct profile *profile, struct contexts *contexts);
/* NULL: no library call's, or not known. */
const struct profile_context *contexts_find(const struct contexts *contexts, uint32_t number);
/* The one that its calls were made in; NULL: they are outermost. */
const struct profile_context *contexts_parent(const struct contexts *contexts,
					      const struct profile_context *context);
void contexts_clear(struct contexts *contexts);

#endif
