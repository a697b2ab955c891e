/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's soft interrupts. */
#ifndef SCALER_MODEL_SOFTIRQ_H
#define SCALER_MODEL_SOFTIRQ_H

#include <stdint.h>

/* Vectors of soft interrupts: include/linux/interrupt.h. */
enum softirq_vector {
	SOFTIRQ_HI,
	SOFTIRQ_TIMER,
	SOFTIRQ_NET_TX,
	SOFTIRQ_NET_RX,
	SOFTIRQ_BLOCK,
	SOFTIRQ_IRQ_POLL,
	SOFTIRQ_TASKLET,
	SOFTIRQ_SCHED,
	SOFTIRQ_HRTIMER,
	SOFTIRQ_RCU,
};

/* "NET_RX", by the vector; NULL: there is no such one. */
const char *softirq_name(uint32_t vector);

#endif
