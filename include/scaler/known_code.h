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
	__u64 check; /* scaler_known_code_check() */
	__u64 site;
	struct scaler_unwind_rule rule;
};

/* One word is hashed faster than two. User space ends below 2^47; with larger addresses it forgets more. */
#define SCALER_ADDRESS_BITS 47

SCALER_INLINE __u64 scaler_code_key(__u64 address_space, __u64 address)
{
	return address_space << SCALER_ADDRESS_BITS | (address & ((1ULL << SCALER_ADDRESS_BITS) - 1));
}

/*
 * What tells the entry that was looked for from others. The key has but a part of the address space's number, and the
 * kernel uses an entry that was replaced at once for another key, also while it is read. Multiplied by odd numbers, as
 * in Knuth's multiplicative hashing (The Art of Computer Programming 3, 6.4).
 */
SCALER_INLINE __u64 scaler_known_code_check(__u64 address_space, __u64 address,
					    const struct scaler_known_code *code)
{
	const struct scaler_unwind_rule *rule = &code->rule;
	__u64 word = (__u64)rule->kind | (__u64)rule->added_words << 8 | (__u64)rule->rbp << 16 |
		     (__u64)rule->rbx << 24 | (__u64)(__u32)rule->cfa_offset << 32;
	__u64 check = address_space * 0x9e3779b97f4a7c15 ^ address;

	check = (check ^ check >> 32) * 0xd6e8feb86659fd93 ^ code->site;
	return (check ^ check >> 32) * 0xd6e8feb86659fd93 ^ word;
}

#endif
