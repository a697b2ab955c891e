// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's soft interrupts. */
#include "model/softirq.h"

#include <stddef.h>

#include "base/array.h"

const char *softirq_name(uint32_t vector)
{
	static const char *const names[] = {
		[SOFTIRQ_HI] = "HI",           [SOFTIRQ_TIMER] = "TIMER", [SOFTIRQ_NET_TX] = "NET_TX",
		[SOFTIRQ_NET_RX] = "NET_RX",   [SOFTIRQ_BLOCK] = "BLOCK", [SOFTIRQ_IRQ_POLL] = "IRQ_POLL",
		[SOFTIRQ_TASKLET] = "TASKLET", [SOFTIRQ_SCHED] = "SCHED", [SOFTIRQ_HRTIMER] = "HRTIMER",
		[SOFTIRQ_RCU] = "RCU",
	};

	return vector < ARRAY_SIZE(names) ? names[vector] : NULL;
}
