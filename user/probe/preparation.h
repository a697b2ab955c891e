/* SPDX-License-Identifier: GPL-2.0-only */
/* BPF programs that run once, after loading and before the recording. */
#ifndef SCALER_PROBE_PREPARATION_H
#define SCALER_PROBE_PREPARATION_H

struct scaler_skeleton;

/*
 * Returns 0, or a negative errno if the kernel side cannot know who the tracer is, which is said. What else fails is
 * smaller service, and said with --verbose.
 */
int preparation_run(struct scaler_skeleton *skeleton);

#endif
