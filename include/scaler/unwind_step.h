/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One step up a stack: from a frame and its rule to its caller's frame. The kernel side takes it on a
 * thread's memory, user space on a copy of its stack.
 *
 * A caller's rbp and rbx are read only where a rule asks for them; until then a frame knows where they
 * were saved. Most frames are found through rsp alone.
 */
#ifndef SCALER_UNWIND_STEP_H
#define SCALER_UNWIND_STEP_H

#include <scaler/call_code.h>
#include <scaler/stack.h>
#include <scaler/thread_state.h> /* SCALER_INLINE */
#include <scaler/unwind.h>

/* In rbp_at and rbx_at: no addresses. */
#define SCALER_REGISTER_KNOWN 0
#define SCALER_REGISTER_LOST  1

struct scaler_frame {
	/* In the instruction that is under way, so that its rule holds: of a call the last byte. */
	__u64 pc;
	__u64 sp;
	__u64 rbp;    /* if rbp_at is SCALER_REGISTER_KNOWN */
	__u64 rbx;    /* the same */
	__u64 rbp_at; /* the address where it was saved, or one of the above */
	__u64 rbx_at;
	__u64 rdi; /* of the innermost frame; of all others 0 */
	/* Not 0: it was found by a frame pointer that may be that of a caller further up. */
	__u64 unsure;
};

/* The most that a frame is believed to take where nothing but its frame pointer tells. */
#define SCALER_FRAME_LIMIT (1 << 20)

SCALER_INLINE enum scaler_stack_end scaler_register_read(__u64 *value, __u64 *at, scaler_read_word read,
							 void *context)
{
	__u64 address = *at;

	if (address == SCALER_REGISTER_KNOWN)
		return SCALER_STACK_GOES_ON;
	if (address == SCALER_REGISTER_LOST)
		return SCALER_STACK_REGISTER;
	*at = SCALER_REGISTER_KNOWN;
	return read(context, address, value) ? SCALER_STACK_MEMORY : SCALER_STACK_GOES_ON;
}

/* Where the caller's value is saved; at is where the frame's own was. */
SCALER_INLINE __u64 scaler_register_place(__u8 place, __u64 at, __u64 cfa)
{
	if (place == SCALER_UNWIND_KEPT)
		return at;
	if (place == SCALER_UNWIND_LOST)
		return SCALER_REGISTER_LOST;
	return cfa - place * SCALER_WORD;
}

SCALER_INLINE enum scaler_stack_end scaler_frame_from_signal(struct scaler_frame *frame,
							     scaler_read_word read, void *context)
{
	__u64 at = frame->sp;

	if (read(context, at + SCALER_SIGNAL_RIP, &frame->pc) ||
	    read(context, at + SCALER_SIGNAL_RSP, &frame->sp))
		return SCALER_STACK_MEMORY;
	frame->rdi = 0;
	frame->rbp_at = at + SCALER_SIGNAL_RBP;
	frame->rbx_at = at + SCALER_SIGNAL_RBX;
	return SCALER_STACK_GOES_ON;
}

/* The frame is left by a return to the word below the CFA. */
SCALER_INLINE enum scaler_stack_end scaler_frame_return(struct scaler_frame *frame, __u64 cfa,
							scaler_read_word read, void *context)
{
	__u64 address;

	/* A caller's frame lies above. */
	if (cfa <= frame->sp || cfa % SCALER_WORD)
		return SCALER_STACK_IMPLAUSIBLE;
	if (read(context, cfa - SCALER_WORD, &address))
		return SCALER_STACK_MEMORY;
	/* Who begins a stack may leave it so. */
	if (!address)
		return SCALER_STACK_COMPLETE;
	frame->pc = address - 1;
	frame->sp = cfa;
	return SCALER_STACK_GOES_ON;
}

/* The frame is left by a jump to where rdi points, and has taken the word of the return address already. */
SCALER_INLINE enum scaler_stack_end scaler_frame_return_to_rdi(struct scaler_frame *frame, __u64 cfa)
{
	if (!frame->rdi)
		return SCALER_STACK_REGISTER;
	if (cfa < frame->sp || cfa % SCALER_WORD)
		return SCALER_STACK_IMPLAUSIBLE;
	frame->pc = frame->rdi - 1;
	frame->sp = cfa;
	return SCALER_STACK_GOES_ON;
}

/*
 * By a frame pointer. In a function that does not set it up it is that of a caller further up, and leads past all between:
 * the call that it leads to is then not one of the function.
 */
SCALER_INLINE enum scaler_stack_end scaler_frame_by_pointer(struct scaler_frame *frame,
							    struct scaler_unwind_rule rule,
							    scaler_read_word read, void *context)
{
	enum scaler_stack_end end = scaler_register_read(&frame->rbp, &frame->rbp_at, read, context);
	__u64 pointer = frame->rbp, last = frame->pc, bytes;
	enum scaler_call_leads leads = SCALER_CALL_UNDECIDED;

	frame->rdi = 0;
	if (end)
		return end;
	if (pointer < frame->sp || pointer - frame->sp > SCALER_FRAME_LIMIT)
		return SCALER_STACK_IMPLAUSIBLE;
	end = scaler_frame_return(frame, pointer + 2 * SCALER_WORD, read, context);
	if (end)
		return SCALER_STACK_IMPLAUSIBLE;
	if (read(context, frame->pc + 1 - SCALER_WORD, &bytes) ||
	    !(scaler_ends_in_direct_call(bytes) || scaler_ends_in_indirect_call(bytes)))
		return SCALER_STACK_IMPLAUSIBLE;
	if (rule.rbp == SCALER_UNWIND_SET_UP)
		leads = SCALER_CALL_LEADS_THERE;
	else if (rule.cfa_offset > 0)
		leads = scaler_call_leads(bytes, frame->pc + 1, last + 1 - (__u32)rule.cfa_offset, last, read,
					  context);
	if (leads == SCALER_CALL_LEADS_ELSEWHERE)
		return SCALER_STACK_NOT_CALLED;
	if (leads == SCALER_CALL_UNREAD)
		return SCALER_STACK_MEMORY;
	frame->unsure = leads == SCALER_CALL_UNDECIDED;
	frame->rbp_at = pointer;
	frame->rbx_at = SCALER_REGISTER_LOST;
	return SCALER_STACK_GOES_ON;
}

/* The CFA by the rule; the frame's registers are read as far as it takes. */
SCALER_INLINE enum scaler_stack_end scaler_frame_cfa(struct scaler_frame *frame,
						     struct scaler_unwind_rule rule, __u64 *cfa,
						     scaler_read_word read, void *context)
{
	enum scaler_stack_end end = SCALER_STACK_GOES_ON;
	__u64 base = frame->sp;

	if (rule.kind == SCALER_UNWIND_RBP || rule.kind == SCALER_UNWIND_RBP_LOAD) {
		end = scaler_register_read(&frame->rbp, &frame->rbp_at, read, context);
		base = frame->rbp;
	} else if (rule.kind == SCALER_UNWIND_RBX) {
		end = scaler_register_read(&frame->rbx, &frame->rbx_at, read, context);
		base = frame->rbx;
	}
	if (end)
		return end;
	base += (__u64)(__s64)rule.cfa_offset;
	if (rule.kind == SCALER_UNWIND_RSP_LOAD || rule.kind == SCALER_UNWIND_RBP_LOAD) {
		if (read(context, base, &base))
			return SCALER_STACK_MEMORY;
		base += rule.added_words * SCALER_WORD;
	}
	*cfa = base;
	return SCALER_STACK_GOES_ON;
}

/*
 * Makes of a frame its caller's. Anything but SCALER_STACK_GOES_ON ends the walk at the frame; of what it
 * was nothing but pc is left then.
 */
SCALER_INLINE enum scaler_stack_end scaler_frame_step(struct scaler_frame *frame,
						      struct scaler_unwind_rule rule, scaler_read_word read,
						      void *context)
{
	enum scaler_stack_end end;
	__u64 cfa, rbp_place;

	frame->unsure = 0;
	switch (rule.kind) {
	case SCALER_UNWIND_OUTERMOST:
		return SCALER_STACK_COMPLETE;
	case SCALER_UNWIND_AS_ASKED:
		return SCALER_STACK_AS_ASKED;
	case SCALER_UNWIND_SIGNAL:
		return scaler_frame_from_signal(frame, read, context);
	case SCALER_UNWIND_FRAME_POINTER:
		return scaler_frame_by_pointer(frame, rule, read, context);
	case SCALER_UNWIND_UNKNOWN:
	case SCALER_UNWIND_CANNOT:
		return SCALER_STACK_NO_RULE;
	case SCALER_UNWIND_NO_CODE:
		return SCALER_STACK_NO_CODE;
	}
	end = scaler_frame_cfa(frame, rule, &cfa, read, context);
	if (end)
		return end;
	if (rule.rbp == SCALER_UNWIND_AT_RBP) {
		end = scaler_register_read(&frame->rbp, &frame->rbp_at, read, context);
		rbp_place = frame->rbp;
	} else {
		rbp_place = scaler_register_place(rule.rbp, frame->rbp_at, cfa);
	}
	if (!end && rule.kind == SCALER_UNWIND_RETURN_IN_RDI)
		end = scaler_frame_return_to_rdi(frame, cfa);
	else if (!end)
		end = scaler_frame_return(frame, cfa, read, context);
	frame->rdi = 0;
	frame->rbp_at = rbp_place;
	frame->rbx_at = scaler_register_place(rule.rbx, frame->rbx_at, cfa);
	return end;
}

#endif
