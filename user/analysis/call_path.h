/* SPDX-License-Identifier: GPL-2.0-only */
/* How the application came to what a stack tells of, as two of the functions on it and their caller. */
#ifndef SCALER_ANALYSIS_CALL_PATH_H
#define SCALER_ANALYSIS_CALL_PATH_H

#include <stddef.h>

#include <scaler/stack.h>

/*
 * How the application came to the innermost of the frames: through the functions by which its components entered
 * each other. Indices in places.items; what is not there is PLACE_NONE.
 */
struct call_path {
	size_t entered;            /* the outermost function that was entered from the caller's component */
	size_t innermost;          /* the last one that was; both are the innermost frame's if none was */
	size_t caller;             /* the application's innermost function, which called entered */
	enum scaler_stack_end cut; /* without entered: why it is not known */
};

#endif
