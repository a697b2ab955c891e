/* SPDX-License-Identifier: GPL-2.0-only */
/* What waits refer to by number, as is to be named: sites, block devices, devices' interrupts. Some may be there twice. */
#ifndef SCALER_MODEL_WAIT_THINGS_H
#define SCALER_MODEL_WAIT_THINGS_H

#include <stddef.h>
#include <stdint.h>

/* Owned; all zero at first. */
struct wait_things {
	uint64_t *sites;
	size_t site_count;
	uint32_t *disks; /* as struct scaler_block_request has them */
	size_t disk_count;
	uint32_t *interrupts;
	size_t interrupt_count;
};

/* Makes room for that many of each. Returns 0 or -ENOMEM; the caller clears them in both cases. */
int wait_things_reserve(struct wait_things *things, size_t sites, size_t others);
void wait_things_clear(struct wait_things *things);

#endif
