/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A part of a walk up a stack, with all that it was found from: where the same is in the registers and in
 * memory again, in the same address space, a walk would find the same again. A long stack has several templates,
 * one behind the other, so that stacks with the same outer frames have those in common.
 */
#ifndef SCALER_STACK_TEMPLATE_H
#define SCALER_STACK_TEMPLATE_H

#include <scaler/stack.h>
#include <scaler/unwind_step.h>

/*
 * Two hashes of the sites of a stack, from the innermost on: stacks for which both are the same are the same.
 * Polynomials of mixed words modulo 2^64, so that they can be put together from those of parts.
 */
struct scaler_stack_hash {
	__u64 hash;
	__u64 check;
};

/* Odd, and unrelated; the mixing is MurmurHash3's. */
#define SCALER_HASH_FACTOR  0x9e3779b97f4a7c15ULL
#define SCALER_CHECK_FACTOR 0xc2b2ae3d27d4eb4fULL

SCALER_INLINE void scaler_stack_hash_add(struct scaler_stack_hash *hash, __u64 word)
{
	word = (word ^ word >> 33) * 0xff51afd7ed558ccdULL;
	word ^= word >> 33;
	hash->hash = hash->hash * SCALER_HASH_FACTOR + word;
	hash->check = hash->check * SCALER_CHECK_FACTOR + word;
}

/* Most frames need one word, so that this is some frames; more are another template. */
#define SCALER_TEMPLATE_WORDS 12
/*
 * From the first word to the last one's end. One read takes 100 ns, 15 ns more for each 512 bytes: tests/bench/run
 * BUILD getppid.
 */
#define SCALER_TEMPLATE_BYTES 2048

/* A register that a frame has from its callee. */
#define SCALER_TEMPLATE_RBP 1
#define SCALER_TEMPLATE_RBX 2

struct scaler_template {
	struct scaler_frame from;        /* its first frame; pc 0: there is no template */
	struct scaler_frame to;          /* the caller of its last, if end is SCALER_STACK_GOES_ON */
	struct scaler_stack_hash sum;    /* of its sites */
	struct scaler_stack_hash factor; /* what it multiplies the hashes before it by */
	__u64 site;                      /* of its first frame */
	__u64 start;                     /* the address of the first of its words */
	__u32 stack; /* the stack's number, if this is all of it; else SCALER_STACK_NONE */
	__u16 size;  /* bytes from the first of its words to the last one's end */
	__u8 words;
	__u8 frames;
	__u8 end;    /* enum scaler_stack_end, at its last frame */
	__u8 takes;  /* which registers of its first frame count */
	__u8 gives;  /* which ones its last frame's caller has not as the first frame had them */
	__u8 unsure; /* not 0: some caller in it is, as scaler_frame.unsure says */
	__u8 places[SCALER_TEMPLATE_WORDS]; /* of each word, in words from start */
	__u64 values[SCALER_TEMPLATE_WORDS];
};

/* Which of a number of sets a template is kept in. */
SCALER_INLINE __u64 scaler_template_set(const struct scaler_frame *from, __u32 sets)
{
	__u64 hash = (from->pc ^ from->sp << 20) * SCALER_HASH_FACTOR;

	return (hash >> 32) * sets >> 32;
}

SCALER_INLINE int scaler_template_begins(const struct scaler_template *template,
					 const struct scaler_frame *frame)
{
	const struct scaler_frame *from = &template->from;

	if (from->pc != frame->pc || from->sp != frame->sp)
		return 0;
	if (template->takes & SCALER_TEMPLATE_RBP &&
	    (from->rbp_at != frame->rbp_at || (!frame->rbp_at && from->rbp != frame->rbp)))
		return 0;
	if (template->takes & SCALER_TEMPLATE_RBX &&
	    (from->rbx_at != frame->rbx_at || (!frame->rbx_at && from->rbx != frame->rbx)))
		return 0;
	return 1;
}

/* memory: what is at start now, size bytes; room for SCALER_TEMPLATE_BYTES. */
SCALER_INLINE int scaler_template_holds(const struct scaler_template *template, const __u64 *memory)
{
	for (int i = 0; i < SCALER_TEMPLATE_WORDS; i++) {
		if (i >= template->words)
			break;
		if (memory[template->places[i] % (SCALER_TEMPLATE_BYTES / SCALER_WORD)] !=
		    template->values[i])
			return 0;
	}
	return 1;
}

/* Of a template that begins at the frame and holds: goes on to the caller of its last frame. */
SCALER_INLINE void scaler_template_apply(const struct scaler_template *template, struct scaler_frame *frame,
					 struct scaler_stack_hash *hash)
{
	const struct scaler_frame *to = &template->to;

	hash->hash = hash->hash * template->factor.hash + template->sum.hash;
	hash->check = hash->check * template->factor.check + template->sum.check;
	frame->pc = to->pc;
	frame->sp = to->sp;
	frame->rdi = 0;
	if (template->gives & SCALER_TEMPLATE_RBP) {
		frame->rbp = to->rbp;
		frame->rbp_at = to->rbp_at;
	}
	if (template->gives & SCALER_TEMPLATE_RBX) {
		frame->rbx = to->rbx;
		frame->rbx_at = to->rbx_at;
	}
}

#endif
