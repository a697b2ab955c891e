/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of interrupts: the kernel's own soft ones, and what devices' are called on this machine. */
#ifndef SCALER_TARGET_INTERRUPT_NAMES_H
#define SCALER_TARGET_INTERRUPT_NAMES_H

#include <stdint.h>

#include "base/number_names.h"

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
const char *interrupt_softirq_name(uint32_t vector);

/* What a device's interrupt's handlers are called, "virtio0-input.0", not trusted; NULL: it has no name. */
const char *interrupt_device_name(struct number_names *names, uint32_t number);

#endif
