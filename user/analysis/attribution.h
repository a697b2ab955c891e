/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom a system call is put down to, by the stack that it was issued with. */
#ifndef SCALER_ANALYSIS_ATTRIBUTION_H
#define SCALER_ANALYSIS_ATTRIBUTION_H

#include <stddef.h>

#include "analysis/places.h"
#include "analysis/report_options.h"
#include "model/profile.h"

/* What is not there is PLACE_NONE. */
struct attribution {
	size_t component;          /* index in places.components */
	enum scaler_stack_end cut; /* without a component: why it is not known */
};

/*
 * The component that issued a call, or the one that called for it: that of the innermost frame outside the C
 * library and the loader, and if a whole stack has none, the one that issued it.
 */
struct attribution attribution_find(struct profile *profile, const struct places *places,
				    enum component_of component_of, const struct scaler_call_key *call);

#endif
