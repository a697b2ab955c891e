/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of interrupts: the kernel's own soft ones, and what devices' are called on this machine. */
#ifndef SCALER_TARGET_INTERRUPT_NAMES_H
#define SCALER_TARGET_INTERRUPT_NAMES_H

#include <stddef.h>
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
const char *interrupt_softirq_name(uint32_t vector);

/* Devices' interrupts that have been asked for. */
struct interrupt_names {
	struct interrupt_name {
		uint32_t number;
		char *name; /* owned; not trusted; NULL: it has none, or there is no such one */
	} * items;          /* owned */
	size_t count;
	size_t capacity;
};

/* What the interrupt's handlers are called, "virtio0-input.0", or NULL; valid until the names are cleared. */
const char *interrupt_names_find(struct interrupt_names *names, uint32_t number);
void interrupt_names_clear(struct interrupt_names *names);

#endif
