/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the kernel side's fold into a profile. */
#ifndef SCALER_STREAM_FOLD_H
#define SCALER_STREAM_FOLD_H

#include "model/profile.h"
#include "probe/recorder.h"
#include "stream/learner.h"

/*
 * Fills an empty profile with all that was recorded so far, after recorder_stop() or, if the recorder was
 * opened for that, while the recording goes on. Then the threads that have exited are taken out of the kernel
 * side's maps, and no later reading has them. learner is NULL if no stacks are recorded. A reading as interval.h wants it. 0 or a negative errno.
 */
int fold_read(const struct recorder *recorder, struct learner *learner, struct profile *profile);

/*
 * Fills an empty profile with the blocking intervals that no reading has had, if they are at least so many, and with
 * what chains need to be made of them: the window so far, the living threads and the sockets. The next reading does not
 * have these intervals. 0 or a negative errno.
 */
int fold_take_intervals(const struct recorder *recorder, struct learner *learner, size_t least,
			struct profile *profile);

#endif
