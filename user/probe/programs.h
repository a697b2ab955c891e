/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the BPF programs are loaded for a recording, and which of them end with it. */
#ifndef SCALER_PROBE_PROGRAMS_H
#define SCALER_PROBE_PROGRAMS_H

#include "probe/recorder.h"

struct scaler_skeleton;

/*
 * Before loading. frequency: of CPU samples; 0: none. Returns 0 or a negative errno, with its own error, if the kernel
 * has nothing by which to record what is asked for.
 */
int programs_choose(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs,
		    unsigned int frequency);

/* How many of their runs the kernel has skipped since they were loaded, because they would have interrupted themselves. */
uint64_t programs_runs_missed(const struct scaler_skeleton *skeleton);

/* Detaches those that record. */
void programs_stop(struct scaler_skeleton *skeleton);

#endif
