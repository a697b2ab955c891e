/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel has, where its BTF or a trial tells. */
#ifndef SCALER_PROBE_FEATURES_H
#define SCALER_PROBE_FEATURES_H

#include <stdbool.h>

/* True if the sched_switch tracepoint passes the state that the outgoing task is left in (5.18). */
bool features_switch_passes_state(void);

#endif
