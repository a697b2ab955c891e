/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What machine code of x86-64 says of the frames of a stack where no table describes them: which function a call leads to,
 * and how far an interrupted function had set up its frame.
 */
#ifndef SCALER_CALL_CODE_H
#define SCALER_CALL_CODE_H

#include <linux/types.h>

#include <scaler/thread_state.h> /* SCALER_INLINE */
#include <scaler/unwind.h>

/* Reads a word of the thread's memory; not 0: it cannot be read. */
typedef long (*scaler_read_word)(void *context, __u64 address, __u64 *word);

#define SCALER_WORD 8ULL /* bytes */

/*
 * Whether the eight bytes before a return address may end in a call: direct, or through a register or
 * memory in one of its lengths. Source: Intel SDM volume 2A, CALL: E8, FF /2.
 */
SCALER_INLINE int scaler_ends_in_direct_call(__u64 bytes)
{
	return (bytes >> 24 & 0xff) == 0xe8;
}

SCALER_INLINE int scaler_ends_in_indirect_call(__u64 bytes)
{
	/* Where in the bytes FF stands in a call of 2, 3, 4, 6 and 7 bytes. */
	const int starts[] = { 48, 40, 32, 16, 8 };

	for (int i = 0; i < 5; i++) {
		if ((bytes >> starts[i] & 0x38ff) == 0x10ff)
			return 1;
	}
	return 0;
}

/*
 * Where code leads that does nothing but to jump on, as linkage tables have it: jmp rel32, or jmp through a slot, perhaps
 * behind endbr64 and bnd; else the address itself. 0: it cannot be read. Source: Intel SDM volume 2A, JMP: E9, FF /4.
 */
SCALER_INLINE __u64 scaler_follow_jump(__u64 address, scaler_read_word read, void *context)
{
	__u64 at = address, code, target;

	if (read(context, at, &code))
		return 0;
	if ((code & 0xffffffff) == 0xfa1e0ff3) {
		at += 4;
		if (read(context, at, &code))
			return 0;
	}
	if ((code & 0xff) == 0xf2) {
		at++;
		code >>= 8;
	}
	if ((code & 0xff) == 0xe9)
		return at + 5 + (__u64)(__s64)(__s32)(code >> 8);
	if ((code & 0xffff) != 0x25ff)
		return address;
	return read(context, at + 6 + (__u64)(__s64)(__s32)(code >> 16), &target) ? 0 : target;
}

/* What a call says of the function that is believed to have been called by it. */
enum scaler_call_leads {
	SCALER_CALL_LEADS_THERE,
	SCALER_CALL_LEADS_ELSEWHERE,
	SCALER_CALL_UNDECIDED, /* it has its target from a register or from memory */
	SCALER_CALL_UNREAD,
};

/* Of the call that bytes, the eight before its return address, end in; the function's code is from first to last. */
SCALER_INLINE enum scaler_call_leads scaler_call_leads(__u64 bytes, __u64 return_address, __u64 first,
						       __u64 last, scaler_read_word read, void *context)
{
	__u64 target = return_address + (__u64)(__s64)(__s32)(bytes >> 32);

	if (scaler_ends_in_indirect_call(bytes))
		return SCALER_CALL_UNDECIDED;
	if (target >= first && target <= last)
		return SCALER_CALL_LEADS_THERE;
	target = scaler_follow_jump(target, read, context);
	if (!target)
		return SCALER_CALL_UNREAD;
	return target >= first && target <= last ? SCALER_CALL_LEADS_THERE : SCALER_CALL_LEADS_ELSEWHERE;
}

/*
 * The rule of an instruction that was interrupted, where the function's frame need not be complete, by its first
 * bytes: before and after "push %rbp", before "ret". Source: System V ABI for AMD64, 3.2.2, and Intel SDM volume 2.
 */
SCALER_INLINE struct scaler_unwind_rule scaler_interrupted_rule(struct scaler_unwind_rule rule, __u64 code)
{
	__u32 first = code & 0xff, move = code & 0xffffff;

	if (rule.kind != SCALER_UNWIND_FRAME_POINTER)
		return rule;
	/* endbr64, push %rbp, ret, ret imm16 */
	if ((code & 0xffffffff) == 0xfa1e0ff3 || first == 0x55 || first == 0xc3 || first == 0xc2)
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_RSP, .cfa_offset = SCALER_WORD };
	/* Both encodings of mov %rsp,%rbp */
	if (move == 0xe58948 || move == 0xec8b48)
		return (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_RSP,
						    .cfa_offset = 2 * SCALER_WORD,
						    .rbp = 2 };
	return rule;
}

#endif
