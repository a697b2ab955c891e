// SPDX-License-Identifier: GPL-2.0-only
/* The request to a block device that a thread waited for. */
#include "analysis/awaited_request.h"

#include <stddef.h>

#include "base/array.h"

static const char *operation_name(const struct scaler_block_request *request)
{
	static const char *const names[] = {
		[SCALER_BLOCK_READ] = "read",
		[SCALER_BLOCK_WRITE] = "write",
		[SCALER_BLOCK_FLUSH] = "flush",
		[SCALER_BLOCK_DISCARD] = "discard",
		[SCALER_BLOCK_WRITE_ZEROES] = "write zeroes",
	};

	if (request->operation == SCALER_BLOCK_WRITE && !request->bytes)
		return names[SCALER_BLOCK_FLUSH];
	return request->operation < ARRAY_SIZE(names) ? names[request->operation] : NULL;
}

/* 0 if one of both is not known. */
static uint64_t time_between(uint64_t from_ns, uint64_t to_ns)
{
	return from_ns && to_ns > from_ns ? to_ns - from_ns : 0;
}

struct awaited_request awaited_request_make(const struct number_names *disks,
					    const struct scaler_block_request *recorded)
{
	if (!recorded)
		return (struct awaited_request){ 0 };
	return (struct awaited_request){
		.recorded = recorded,
		.device = number_names_get(disks, recorded->device),
		.operation = operation_name(recorded),
		.queued_ns = time_between(recorded->queued_ns, recorded->issued_ns),
		.served_ns = time_between(recorded->issued_ns, recorded->completed_ns),
	};
}
