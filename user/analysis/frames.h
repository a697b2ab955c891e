/* SPDX-License-Identifier: GPL-2.0-only */
/* The stack that a system call was issued with, or that a CPU sample found, with what its sites stand for. */
#ifndef SCALER_ANALYSIS_FRAMES_H
#define SCALER_ANALYSIS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "model/places.h"
#include "model/profile.h"

/* Frames are numbered from the innermost on. */
struct frames {
	const struct places *places; /* not owned, as are the sites: the profile's */
	bool has_leaf;               /* the innermost frame is not among the sites, but this one */
	__u64 leaf;
	const __u64 *sites;
	size_t count; /* of all; at least 1 of a call; 0 of a sample: nothing is known */
	enum scaler_stack_end end;
};

struct frames frames_of_call(struct profile *profile, const struct places *places,
			     const struct scaler_call_key *call);

/* Those in user space; of a thread that was in the kernel and has none, where it was there. */
struct frames frames_of_sample(struct profile *profile, const struct places *places,
			       const struct scaler_sample *sample);

/*
 * Indices in places.items and places.components. A frame whose function was called from another component has the place
 * of the function that was called, which may have gone on to that one.
 */
size_t frames_place(const struct frames *frames, size_t frame);
size_t frames_component(const struct frames *frames, size_t frame);

/* Whether the outermost frame is the first one of the thread, or the one up to which stacks are walked. */
bool frames_are_whole(const struct frames *frames);

#endif
