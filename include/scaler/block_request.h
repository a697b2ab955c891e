/* SPDX-License-Identifier: GPL-2.0-only */
/* A request to a block device, as the kernel hands them to its drivers: one or more neighbouring reads or writes. */
#ifndef SCALER_BLOCK_REQUEST_H
#define SCALER_BLOCK_REQUEST_H

#include <linux/types.h>

/* Of its operations (include/linux/blk_types.h) those that have kept their numbers. */
enum scaler_block_operation {
	SCALER_BLOCK_READ,
	SCALER_BLOCK_WRITE, /* of no bytes: has it write what its cache holds */
	SCALER_BLOCK_FLUSH,
	SCALER_BLOCK_DISCARD,
	SCALER_BLOCK_WRITE_ZEROES = 9,
};

/* Times are CLOCK_MONOTONIC. */
struct scaler_block_request {
	__u64 sector;       /* of 512 bytes, of the whole device */
	__u64 queued_ns;    /* when it was made; 0: not known */
	__u64 issued_ns;    /* when it was handed to the device; 0: not known */
	__u64 completed_ns; /* when the device was done with it; 0: there is no request */
	__u32 device;       /* 12 bits major, 20 bits minor; 0: not known */
	__u32 bytes;
	__u32 operation; /* enum scaler_block_operation, or another of the kernel's numbers */
	__u32 zero;
};

#endif
