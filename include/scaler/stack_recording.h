/* SPDX-License-Identifier: GPL-2.0-only */
/* How a template is made, while the walk that it is of goes on: frame by frame, with the words that were read. */
#ifndef SCALER_STACK_RECORDING_H
#define SCALER_STACK_RECORDING_H

#include <scaler/stack_template.h>

#define SCALER_STEP_WORDS 3 /* the most that scaler_frame_step() reads */

struct scaler_recording {
	struct scaler_template template; /* of the frames so far */
	__u64 addresses[SCALER_TEMPLATE_WORDS];
	/* The step that is under way. */
	struct scaler_frame frame;
	struct scaler_stack_read {
		__u64 address;
		__u64 value;
	} reads[SCALER_STEP_WORDS];
	__u64 read_count;
};

/* From a frame on. Of the template's words only those that it will have are set. */
SCALER_INLINE void scaler_recording_begin(struct scaler_recording *recording, const struct scaler_frame *from)
{
	struct scaler_template *template = &recording->template;

	template->from = *from;
	template->sum.hash = template->sum.check = 0;
	template->factor.hash = template->factor.check = 1;
	template->stack = SCALER_STACK_NONE;
	template->words = template->frames = 0;
	template->end = SCALER_STACK_GOES_ON;
	template->takes = template->gives = template->unsure = 0;
}

SCALER_INLINE void scaler_recording_step(struct scaler_recording *recording, const struct scaler_frame *frame)
{
	recording->frame = *frame;
	recording->read_count = 0;
}

/* A word that the step has read. */
SCALER_INLINE void scaler_recording_read(struct scaler_recording *recording, __u64 address, __u64 value)
{
	__u64 index = recording->read_count;

	if (index >= SCALER_STEP_WORDS)
		return;
	recording->reads[index].address = address;
	recording->reads[index].value = value;
	recording->read_count = index + 1;
}

/* Which registers a frame's rule takes, and which of its caller's are not as the frame has them. */
SCALER_INLINE __u8 scaler_rule_takes(struct scaler_unwind_rule rule)
{
	if (rule.kind == SCALER_UNWIND_RBX)
		return SCALER_TEMPLATE_RBX | (rule.rbp == SCALER_UNWIND_AT_RBP ? SCALER_TEMPLATE_RBP : 0);
	if (rule.kind == SCALER_UNWIND_RBP || rule.kind == SCALER_UNWIND_RBP_LOAD ||
	    rule.kind == SCALER_UNWIND_FRAME_POINTER || rule.rbp == SCALER_UNWIND_AT_RBP)
		return SCALER_TEMPLATE_RBP;
	return 0;
}

SCALER_INLINE __u8 scaler_rule_gives(struct scaler_unwind_rule rule)
{
	if (rule.kind == SCALER_UNWIND_SIGNAL || rule.kind == SCALER_UNWIND_FRAME_POINTER)
		return SCALER_TEMPLATE_RBP | SCALER_TEMPLATE_RBX;
	return (rule.rbp ? SCALER_TEMPLATE_RBP : 0) | (rule.rbx ? SCALER_TEMPLATE_RBX : 0);
}

/* Whether the words that the step has read have room in the template. */
SCALER_INLINE int scaler_recording_has_room(struct scaler_recording *recording)
{
	struct scaler_template *template = &recording->template;
	__u64 low = template->start, high = low + template->size;

	if (template->words + recording->read_count > SCALER_TEMPLATE_WORDS)
		return 0;
	for (__u32 i = 0; i < SCALER_STEP_WORDS; i++) {
		__u64 address = recording->reads[i].address;

		if (i >= recording->read_count)
			break;
		if (!i && !template->words)
			low = high = address;
		if ((address - low) % SCALER_WORD)
			return 0;
		if (address < low)
			low = address;
		if (address + SCALER_WORD > high)
			high = address + SCALER_WORD;
	}
	if (high - low > SCALER_TEMPLATE_BYTES)
		return 0;
	template->start = low;
	template->size = high - low;
	return 1;
}

/*
 * Adds the frame whose step is over, and the caller that was found, if one was. Returns 0 if it has no room, or was left by
 * way of a register that templates do not compare.
 */
SCALER_INLINE int scaler_recording_add(struct scaler_recording *recording, __u64 site,
				       struct scaler_unwind_rule rule, const struct scaler_frame *caller)
{
	struct scaler_template *template = &recording->template;
	__u8 takes = scaler_rule_takes(rule);

	if (!template->words)
		template->start = template->size = 0;
	if (rule.kind == SCALER_UNWIND_RETURN_IN_RDI || !scaler_recording_has_room(recording))
		return 0;
	for (__u32 i = 0; i < SCALER_STEP_WORDS; i++) {
		__u64 word = template->words;

		if (i >= recording->read_count || word >= SCALER_TEMPLATE_WORDS)
			break;
		recording->addresses[word] = recording->reads[i].address;
		template->values[word] = recording->reads[i].value;
		template->words = word + 1;
	}
	if (!template->frames)
		template->site = site;
	template->frames++;
	template->unsure |= caller->unsure != 0;
	template->takes |= takes & ~template->gives;
	/* What was taken is known from here on. */
	template->gives |= takes | scaler_rule_gives(rule);
	scaler_stack_hash_add(&template->sum, site);
	template->factor.hash *= SCALER_HASH_FACTOR;
	template->factor.check *= SCALER_CHECK_FACTOR;
	template->to = *caller;
	return 1;
}

/* Says of a template that is to be kept where its words are. */
SCALER_INLINE void scaler_recording_finish(struct scaler_recording *recording)
{
	struct scaler_template *template = &recording->template;

	for (int i = 0; i < SCALER_TEMPLATE_WORDS; i++) {
		if (i >= template->words)
			break;
		template->places[i] = (recording->addresses[i] - template->start) / SCALER_WORD;
	}
}

/* Keeps a template of at least one frame. */
typedef void (*scaler_template_keep)(void *context, const struct scaler_template *template);

SCALER_INLINE void scaler_recording_keep(struct scaler_recording *recording, scaler_template_keep keep,
					 void *context)
{
	if (!recording->template.frames)
		return;
	scaler_recording_finish(recording);
	keep(context, &recording->template);
}

/* Whether a walk that ended so at a frame would do so again. */
SCALER_INLINE int scaler_end_is_lasting(enum scaler_stack_end end)
{
	return end == SCALER_STACK_COMPLETE || end == SCALER_STACK_AS_ASKED || end == SCALER_STACK_NO_RULE ||
	       end == SCALER_STACK_REGISTER || end == SCALER_STACK_NOT_CALLED;
}

/*
 * Records the frame whose step is over with that end. Whether the recording is over with it: the last template is
 * kept, and ends as the walk does.
 */
SCALER_INLINE int scaler_recording_go_on(struct scaler_recording *recording, __u64 site,
					 struct scaler_unwind_rule rule, const struct scaler_frame *caller,
					 enum scaler_stack_end end, scaler_template_keep keep, void *context)
{
	__u64 data_words;

	if (end && !scaler_end_is_lasting(end)) {
		scaler_recording_keep(recording, keep, context);
		return 0;
	}
	/* What is read of code comes after the return address: as long as that is the same, so is the code. */
	data_words = 1 + (recording->frame.rbp_at != SCALER_REGISTER_KNOWN);
	if (rule.kind == SCALER_UNWIND_FRAME_POINTER && recording->read_count > data_words)
		recording->read_count = data_words;
	if (!scaler_recording_add(recording, site, rule, caller)) {
		scaler_recording_keep(recording, keep, context);
		scaler_recording_begin(recording, &recording->frame);
		/* What has no room in a template of its own is never in one. */
		if (!scaler_recording_add(recording, site, rule, caller))
			return 0;
	}
	if (!end)
		return 0;
	recording->template.end = end;
	scaler_recording_keep(recording, keep, context);
	return 1;
}

#endif
