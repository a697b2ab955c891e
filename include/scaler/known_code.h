/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of an instruction in an address space, kept by its address so that a walk needs one lookup a frame.
 * It holds for good: an address space whose code has changed has another number.
 */
#ifndef SCALER_KNOWN_CODE_H
#define SCALER_KNOWN_CODE_H

#include <linux/types.h>

#include <scaler/thread_state.h> /* SCALER_INLINE */
#include <scaler/unwind.h>

struct scaler_known_code {
	__u64 address_space; /* all of its number, of which the key has but a part */
	__u64 site;
	struct scaler_unwind_rule rule;
};

/* One word is hashed faster than two. User space ends below 2^47; with larger addresses it forgets more. */
#define SCALER_ADDRESS_BITS 47

SCALER_INLINE __u64 scaler_code_key(__u64 address_space, __u64 address)
{
	return address_space << SCALER_ADDRESS_BITS | (address & ((1ULL << SCALER_ADDRESS_BITS) - 1));
}

#endif
