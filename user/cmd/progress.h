/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording has seen so far, on one line of a terminal. */
#ifndef SCALER_CMD_PROGRESS_H
#define SCALER_CMD_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/hot_waits.h"
#include "options/options.h"
#include "probe/recorder.h"

#define PROGRESS_PERIOD_NS 1000000000

struct progress {
	bool is_shown;
	bool has_waits;
	uint64_t start_ns;    /* 0: it has not begun */
	pthread_mutex_t lock; /* of the waits, which another thread adds */
	struct hot_waits waits;
};

/* Nothing is shown where a command writes, or lines are printed all the time. */
void progress_begin(struct progress *progress, const struct options *options);

/* An interval has come; event_watch. */
void progress_take(void *progress, const struct scaler_blocking_interval *interval);

/* is_recording: it has begun, and not only may. */
void progress_show(struct progress *progress, const struct recorder *recorder, bool is_recording);

/* Nothing of it is on the terminal from now on. */
void progress_end(struct progress *progress);

#endif
