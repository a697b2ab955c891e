// SPDX-License-Identifier: GPL-2.0-only
/* Up a copy of a stack, frame by frame. */
#include "target/stack_walk.h"

#include <stdbool.h>
#include <string.h>

static bool is_missing(const struct stack_copy *copy, uint64_t offset)
{
	uint64_t page = offset / SCALER_COPY_PAGE;

	return page < SCALER_COPY_PAGES && copy->missing >> page & 1;
}

static long read_copy(void *context, __u64 address, __u64 *word)
{
	const struct stack_copy *copy = context;
	uint64_t offset = address - copy->start;

	if (copy->size < sizeof(*word) || offset > copy->size - sizeof(*word) || is_missing(copy, offset) ||
	    is_missing(copy, offset + sizeof(*word) - 1))
		return -1;
	memcpy(word, copy->bytes + offset, sizeof(*word));
	return 0;
}

/* From one frame to its caller. What cannot be read in the copy may be readable in the thread. */
static enum scaler_stack_end step(struct scaler_frame *frame, uint64_t site, const struct stack_copy *copy,
				  const struct stack_code *code)
{
	struct scaler_unwind_rule rule = code->find_rule(code->context, site);
	enum scaler_stack_end end;

	if (rule.kind == SCALER_UNWIND_FRAME_POINTER)
		return SCALER_STACK_NOT_COPIED;
	end = scaler_frame_step(frame, rule, read_copy, (void *)copy);
	return end == SCALER_STACK_MEMORY ? SCALER_STACK_NOT_COPIED : end;
}

void stack_walk(struct scaler_frame frame, const struct stack_copy *copy, const struct stack_code *code,
		struct stack_frames *frames)
{
	frames->end = SCALER_STACK_GOES_ON;
	while (!frames->end) {
		uint64_t site = code->find_site(code->context, frame.pc);

		if (!site) {
			frames->end = SCALER_STACK_NO_CODE;
		} else if (frames->count == SCALER_STACK_FRAMES) {
			frames->end = SCALER_STACK_LIMIT;
		} else {
			frames->sites[frames->count++] = site;
			frames->end = step(&frame, site, copy, code);
		}
	}
}
