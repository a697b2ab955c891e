/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the kernel side's fold into a profile. */
#ifndef SCALER_STREAM_FOLD_H
#define SCALER_STREAM_FOLD_H

#include "model/ended_threads.h"
#include "model/profile.h"
#include "probe/recorder.h"
#include "stream/event_reader.h"

/*
 * Fills an empty profile with all that was recorded so far, after recorder_stop() or, if the recorder was
 * opened for that, while the recording goes on. Then the threads that have exited are taken out of the kernel
 * side's maps, and no later reading has them; of those that were taken out before, ended is emptied. reader is NULL if no
 * stacks are recorded. A reading as interval.h wants it. 0 or a negative errno.
 */
int fold_read(const struct recorder *recorder, struct event_reader *reader, struct ended_threads *ended,
	      struct profile *profile);

/*
 * Takes the threads that have exited out of the kernel side's maps, if these could be full before long: to be called
 * some times a second while it records. 0 or a negative errno.
 */
int fold_make_room(const struct recorder *recorder, struct ended_threads *ended);
#define FOLD_ROOM_PERIOD_NS 100000000

/*
 * Fills an empty profile with the blocking intervals that no reading has had, if they are at least so many, and with
 * what chains need to be made of them: the window so far, the living threads and the sockets. The next reading does not
 * have these intervals. 0 or a negative errno.
 */
int fold_take_intervals(const struct recorder *recorder, struct event_reader *reader, size_t least,
			struct profile *profile);

#endif
