/* SPDX-License-Identifier: GPL-2.0-only */
/* Which system calls are recorded. All is set by user space before loading. */
#ifndef SCALER_FILTER_BPF_H
#define SCALER_FILTER_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/call.h>

const volatile bool records_calls __weak = true; /* any at all */
const volatile bool filters_calls __weak;        /* only those of the next */
const volatile __u8 filter_records[SCALER_ABI_COUNT][SCALER_CALL_NUMBERS] __weak;

static __always_inline bool call_is_recorded(u8 abi, u64 number)
{
	if (!filters_calls)
		return true;
	barrier_var(number); /* the check must be on the register that indexes */
	return number < SCALER_CALL_NUMBERS &&
	       filter_records[abi == SCALER_ABI_COMPAT][number & (SCALER_CALL_NUMBERS - 1)];
}

#endif
