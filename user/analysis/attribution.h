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

/*
 * How the application came to issue a call: through the functions by which its components entered each other.
 * Indices in places.items; what is not there is PLACE_NONE.
 */
struct call_path {
	size_t entered;            /* the outermost function that was entered from the caller's component */
	size_t innermost;          /* the last one that was; both are the issuing one if none was */
	size_t caller;             /* the application's innermost function, which called entered */
	enum scaler_stack_end cut; /* without entered: why it is not known */
};

/*
 * The application's innermost frame is where the path begins. On a whole stack without one, such as that of a
 * library's own thread, it begins where the outermost component calls another.
 */
struct call_path attribution_path(struct profile *profile, const struct places *places,
				  const struct scaler_call_key *call);

#endif
