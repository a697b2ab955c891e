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

/* What is known of the thread's memory. */
struct known_memory {
	const struct stack_copy *copy;
	const struct stack_code *code;
	bool missed; /* something was asked for that is not known */
};

static bool read_copy(const struct stack_copy *copy, uint64_t address, __u64 *word)
{
	uint64_t offset = address - copy->start;

	if (copy->size < sizeof(*word) || offset > copy->size - sizeof(*word) || is_missing(copy, offset) ||
	    is_missing(copy, offset + sizeof(*word) - 1))
		return false;
	memcpy(word, copy->bytes + offset, sizeof(*word));
	return true;
}

static long read_known(void *context, __u64 address, __u64 *word)
{
	struct known_memory *memory = context;
	uint64_t bytes;

	if (read_copy(memory->copy, address, word))
		return 0;
	if (memory->code->read_code(memory->code->context, address, &bytes)) {
		*word = bytes;
		return 0;
	}
	memory->missed = true;
	return -1;
}

static struct scaler_unwind_rule innermost_rule(struct scaler_unwind_rule rule, uint64_t address,
						const struct stack_code *code)
{
	uint64_t bytes;

	if (!code->read_code(code->context, address, &bytes))
		return rule;
	return scaler_interrupted_rule(rule, bytes);
}

/* From one frame to its caller. What is not known may be readable in the thread, and lead on. */
static enum scaler_stack_end step(struct scaler_frame *frame, struct scaler_unwind_rule rule,
				  const struct stack_copy *copy, const struct stack_code *code)
{
	struct known_memory memory = { .copy = copy, .code = code };
	enum scaler_stack_end end = scaler_frame_step(frame, rule, read_known, &memory);

	return end && memory.missed ? SCALER_STACK_NOT_COPIED : end;
}

void stack_walk(struct scaler_frame frame, const struct stack_copy *copy, const struct stack_code *code,
		size_t limit, struct stack_frames *frames)
{
	bool interrupted = copy->interrupted;

	frames->end = SCALER_STACK_GOES_ON;
	while (!frames->end) {
		struct scaler_unwind_rule rule;
		uint64_t site;

		if (frames->count == limit) {
			frames->end = SCALER_STACK_LIMIT;
			return;
		}
		site = code->find(code->context, frame.pc, &rule);
		if (!site) {
			frames->end = SCALER_STACK_NO_CODE;
			return;
		}
		frames->sites[frames->count++] = site;
		if (interrupted && rule.kind == SCALER_UNWIND_FRAME_POINTER)
			rule = innermost_rule(rule, frame.pc, code);
		interrupted = false;
		frames->end = step(&frame, rule, copy, code);
		frames->unsure |= frame.unsure != 0;
	}
}
