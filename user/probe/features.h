/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel and user can do, where BTF, /proc or /sys tells. */
#ifndef SCALER_PROBE_FEATURES_H
#define SCALER_PROBE_FEATURES_H

#include <stdbool.h>

#include "plan/feature_names.h"

/* Whether a recording can make use of it. */
bool features_have(enum feature feature);

/* All of them: bits by enum feature. */
unsigned int features_set(void);

/* From now on as on kernels that have it not. */
void features_leave_out(enum feature feature);

/* Which of the capabilities for tracing this process lacks, as a sentence; NULL: none. */
const char *features_missing_capabilities(void);

/* How far the kernel is locked down: "none", "integrity", or "confidentiality", with which BPF programs may
 * not read its memory. */
const char *features_lockdown(void);

/* Whether BPF programs can walk stacks of user space, for which they also loop (5.17), on a machine of ours. */
bool features_walk_stacks(void);

#endif
