/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the kernel's variables of each CPU are, by its BTF. */
#ifndef SCALER_PROBE_PERCPU_H
#define SCALER_PROBE_PERCPU_H

#include <stdint.h>

/* How far a CPU's preempt count is from its run queue, in bytes; 0: not known. */
int64_t percpu_preempt_count_from_rq(void);

#endif
