// SPDX-License-Identifier: GPL-2.0-only
/* The names of interrupts. */
#include "target/interrupt_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/kernel_file.h"

const char *interrupt_softirq_name(uint32_t vector)
{
	static const char *const names[] = {
		[SOFTIRQ_HI] = "HI",           [SOFTIRQ_TIMER] = "TIMER", [SOFTIRQ_NET_TX] = "NET_TX",
		[SOFTIRQ_NET_RX] = "NET_RX",   [SOFTIRQ_BLOCK] = "BLOCK", [SOFTIRQ_IRQ_POLL] = "IRQ_POLL",
		[SOFTIRQ_TASKLET] = "TASKLET", [SOFTIRQ_SCHED] = "SCHED", [SOFTIRQ_HRTIMER] = "HRTIMER",
		[SOFTIRQ_RCU] = "RCU",
	};

	return vector < ARRAY_SIZE(names) ? names[vector] : NULL;
}

static char *read_name(uint32_t number)
{
	FILE *file = kernel_file_read("/sys/kernel/irq/%" PRIu32 "/actions", number);
	char name[128], *got;

	if (!file)
		return NULL;
	got = fgets(name, sizeof(name), file);
	fclose(file);
	if (!got)
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	return *name ? strdup(name) : NULL;
}

const char *interrupt_device_name(struct number_names *names, uint32_t number)
{
	return number_names_find(names, number, read_name);
}
