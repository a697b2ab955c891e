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

/*
 * Linux 6.11 (commit 190fec72df4a, "uprobe: Wire up uretprobe system call") and 6.18: by these the kernel itself is
 * called from where it has put probes, ours and others'.
 */
#define CALL_URETPROBE 335
#define CALL_UPROBE    336

/* The program knows nothing of them. */
static __always_inline bool call_is_of_probe(u8 abi, u64 number)
{
#if defined(__TARGET_ARCH_x86)
	return abi == SCALER_ABI_NATIVE && (number == CALL_URETPROBE || number == CALL_UPROBE);
#else
	return false;
#endif
}

static __always_inline bool call_is_recorded(u8 abi, u64 number)
{
	if (call_is_of_probe(abi, number))
		return false;
	if (!filters_calls)
		return true;
	barrier_var(number); /* the check must be on the register that indexes */
	return number < SCALER_CALL_NUMBERS &&
	       filter_records[abi == SCALER_ABI_COMPAT][number & (SCALER_CALL_NUMBERS - 1)];
}

#endif
