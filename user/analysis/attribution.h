/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom a system call or a CPU sample is attributed to, by its stack. */
#ifndef SCALER_ANALYSIS_ATTRIBUTION_H
#define SCALER_ANALYSIS_ATTRIBUTION_H

#include <stddef.h>

#include "analysis/call_path.h"
#include "analysis/frames.h"
#include "analysis/report_options.h"

/* What is not there is PLACE_NONE. */
struct attribution {
	size_t component;          /* index in places.components */
	enum scaler_stack_end cut; /* without a component: why it is not known */
};

/*
 * The component whose code the innermost of the frames is in, or the one that called it: that of the innermost frame
 * outside the C library and the loader, and if a whole stack has none, the former. There is at least one frame.
 */
struct attribution attribution_find(const struct frames *frames, enum component_of component_of);

/*
 * The application's innermost frame is where the path begins. On a whole stack without one, such as that of a
 * library's own thread, it begins where the outermost component calls another. There is at least one frame.
 */
struct call_path attribution_path(const struct frames *frames);

#endif
