/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of the kernel's code is the tracer's, so that CPU samples in it are not taken for the programs'. */
#ifndef SCALER_PROBE_TRACER_CODE_H
#define SCALER_PROBE_TRACER_CODE_H

#include <stdbool.h>

struct scaler_skeleton;

/*
 * Of a skeleton that has been loaded: its programs, and if it sets probes what the kernel executes for these. Where the
 * kernel shows no addresses samples count as the programs' own, which --verbose says.
 */
void tracer_code_find(struct scaler_skeleton *skeleton, bool sets_probes);

#endif
