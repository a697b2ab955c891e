/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose critical path is shown, and of which time. */
#ifndef SCALER_ANALYSIS_PATH_CHOICE_H
#define SCALER_ANALYSIS_PATH_CHOICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/profile.h"

/* What is zero chooses nothing. */
struct path_options {
	const char *task;  /* a name, a shell pattern, a PID or a TID; NULL: the target's */
	pid_t target;      /* the process or thread that is traced, or the first one */
	uint64_t since_ns; /* since the recording began */
	uint64_t until_ns; /* 0: to its end */
};

struct path_choice {
	const struct scaler_thread *thread; /* the profile's, or NULL: there is no such thread */
	bool is_process; /* its time is meant, of whose threads this one was the last to exit */
	/* Of the time that was asked for that in which the thread, or its process, was there; these may be the same. */
	uint64_t from_ns;
	uint64_t to_ns;
};

/*
 * A PID means the process. Of several threads that fit, the one that exited last; of those that have not, that with the
 * lowest TID.
 */
struct path_choice path_choose(const struct profile *profile, const struct path_options *options);

#endif
