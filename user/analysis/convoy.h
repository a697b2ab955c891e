/* SPDX-License-Identifier: GPL-2.0-only */
/* How threads queue for one thing: how many wait at once, and for how long there always is one that waits. */
#ifndef SCALER_ANALYSIS_CONVOY_H
#define SCALER_ANALYSIS_CONVOY_H

#include <stddef.h>
#include <stdint.h>

/*
 * The longest time in which some thread waited at every moment: the thread that lets go of the thing finds the next one
 * in the queue. (The term is that of Blasgen, Gray, Mitoma, Price: The Convoy Phenomenon, 1979.)
 */
struct convoy {
	size_t most_waiting; /* at once, at any time */
	uint64_t start_ns;
	uint64_t duration_ns;
	size_t waits; /* that began in it; of several convoys that are as long the first */
};

/* Wait i is from starts_ns[i] to ends_ns[i], no end before its start. Sorts both arrays, each by itself. */
struct convoy convoy_find(uint64_t *starts_ns, uint64_t *ends_ns, size_t count);

#endif
