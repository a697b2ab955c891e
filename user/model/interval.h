/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened between two readings of one recording.
 *
 * A call counts in the interval in which it returns, and its time in those in which it was spent: so that
 * the figures of all intervals add up to those of the whole recording. Percentiles and maxima are of the
 * calls that return in the interval, each with its whole length. Each thread has its own moments of reading,
 * and its life in an interval is what lies between them.
 */
#ifndef SCALER_MODEL_INTERVAL_H
#define SCALER_MODEL_INTERVAL_H

#include "model/profile.h"

/*
 * Fills an empty profile with what the reading after has more than the reading before, an empty profile if
 * there was none. A reading has its rows from before its threads: a call that was open before can have
 * returned when its thread was read anew, and yet not be in the rows. It then stays open in after, to be
 * settled with the next interval. Sorts the rows of both readings. Returns 0 or -ENOMEM; the caller clears
 * all three profiles in both cases.
 */
int interval_between(struct profile *before, struct profile *after, struct profile *interval);

/* The same of a first reading that no later one is compared with: its parts become the interval's, and it is empty then. */
int interval_of_all(struct profile *reading, struct profile *interval);

#endif
