/* SPDX-License-Identifier: GPL-2.0-only */
/* Which system calls are recorded, as --syscalls says: names and strace's classes of them. */
#ifndef SCALER_MODEL_SYSCALL_FILTER_H
#define SCALER_MODEL_SYSCALL_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include <scaler/call.h>

#include "model/syscalls.h"

/* By table and number; calls beyond the tables' end are recorded unless there is a filter. */
struct syscall_filter {
	bool records[SCALER_ABI_COUNT][SCALER_CALL_NUMBERS];
};

/*
 * Reads "NAME,%CLASS,..." or, for all others, "!NAME,%CLASS,...". On -EINVAL *culprit is the first word
 * that is neither, in list, of *length bytes.
 */
int syscall_filter_parse(struct syscall_filter *filter, const char *list, const char **culprit,
			 size_t *length);

bool syscall_filter_records(const struct syscall_filter *filter, enum scaler_abi abi, unsigned int number);

/* The index-th class, or NULL behind the last; and whether a call is in it. */
const char *syscall_class_name(size_t index);
bool syscall_class_includes(size_t index, const char *call);

#endif
