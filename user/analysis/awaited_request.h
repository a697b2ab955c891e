/* SPDX-License-Identifier: GPL-2.0-only */
/* The request to a block device that a thread waited for. */
#ifndef SCALER_ANALYSIS_AWAITED_REQUEST_H
#define SCALER_ANALYSIS_AWAITED_REQUEST_H

#include <stdint.h>

#include <scaler/block_request.h>

#include "base/number_names.h"

struct awaited_request {
	const struct scaler_block_request *recorded; /* the caller's; NULL: none */
	const char *device;                          /* "vda"; NULL: it has no name */
	const char *operation; /* "read", "write", "flush", "discard" or "write zeroes"; NULL: another */
	uint64_t queued_ns;    /* how long it was held before the device got it; 0: not known */
	uint64_t served_ns;    /* how long the device took; 0: not known */
};

/* recorded may be NULL. Devices by number; the name is theirs. */
struct awaited_request awaited_request_make(const struct number_names *disks,
					    const struct scaler_block_request *recorded);

#endif
