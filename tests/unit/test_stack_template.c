// SPDX-License-Identifier: GPL-2.0-only
/* Walks with templates find what walks without them find, whatever has changed in between. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scaler/stack_recording.h>

/* A made-up stack, and functions of one instruction each, which return addresses lead to. */
#define STACK_START 0x7000
#define STACK_WORDS 1024
#define CODE_START  0x400000
#define FUNCTIONS   24
#define SLOTS       64
#define LIMIT       40

struct machine {
	uint64_t stack[STACK_WORDS];
	struct scaler_unwind_rule rules[FUNCTIONS];
	struct scaler_template templates[SLOTS];
	size_t used; /* how often a template stood for frames */
	size_t frames;
};

static unsigned int random_state = 1;

static uint64_t below(uint64_t limit)
{
	return (uint64_t)rand_r(&random_state) % limit;
}

static uint64_t random_address(void)
{
	return STACK_START + 8 * below(STACK_WORDS);
}

/* What stands on a stack: mostly return addresses, so that walks get far. */
static uint64_t random_word(void)
{
	switch (below(8)) {
	case 0:
		return random_address();
	case 1:
		return below(4) ? random_address() : below(2);
	default:
		return CODE_START + 16 * below(FUNCTIONS) + 1;
	}
}

static struct scaler_unwind_rule random_rule(void)
{
	static const __u8 places[] = { SCALER_UNWIND_KEPT, SCALER_UNWIND_KEPT,  SCALER_UNWIND_KEPT, 2, 3, 4,
				       SCALER_UNWIND_LOST, SCALER_UNWIND_AT_RBP };
	struct scaler_unwind_rule rule = { .kind = SCALER_UNWIND_RSP };

	rule.cfa_offset = 8 * (1 + (int)below(below(4) ? 6 : 100));
	rule.rbp = places[below(8)];
	rule.rbx = places[below(7)];
	if (below(4))
		return rule;
	rule.kind = (__u8)(SCALER_UNWIND_RBP + below(SCALER_UNWIND_KINDS - SCALER_UNWIND_RBP));
	rule.added_words = (__u8)below(3);
	if (rule.kind >= SCALER_UNWIND_FRAME_POINTER)
		rule.rbp = rule.rbx = 0;
	return rule;
}

static long read_memory(const struct machine *machine, uint64_t address, __u64 *word)
{
	uint64_t offset = address - STACK_START;

	if (address >= CODE_START && address < CODE_START + 16 * FUNCTIONS) {
		*word = 0xd0ff000000000000; /* every return address is behind a call */
		return 0;
	}
	if (address < STACK_START || offset > sizeof(machine->stack) - sizeof(*word))
		return -1;
	memcpy(word, (const char *)machine->stack + offset, sizeof(*word));
	return 0;
}

struct walk {
	struct machine *machine;
	bool with_templates;
	struct scaler_frame frame;
	struct scaler_stack_hash hash;
	struct scaler_recording recording;
	size_t count;
	enum scaler_stack_end end;
};

static long read_and_record(void *context, __u64 address, __u64 *word)
{
	struct walk *walk = context;

	if (read_memory(walk->machine, address, word))
		return -1;
	scaler_recording_read(&walk->recording, address, *word);
	return 0;
}

static void keep(void *context, const struct scaler_template *template)
{
	struct walk *walk = context;

	if (walk->with_templates)
		walk->machine->templates[scaler_template_set(&template->from, SLOTS)] = *template;
}

static const struct scaler_template *find_template(struct walk *walk)
{
	struct machine *machine = walk->machine;
	const struct scaler_template *template =
		&machine->templates[scaler_template_set(&walk->frame, SLOTS)];
	__u64 memory[SCALER_TEMPLATE_BYTES / SCALER_WORD];

	if (!walk->with_templates || walk->recording.template.frames ||
	    !scaler_template_begins(template, &walk->frame) || walk->count + template->frames > LIMIT)
		return NULL;
	for (size_t i = 0; i < template->size / SCALER_WORD; i++) {
		if (read_memory(machine, template->start + i * SCALER_WORD, &memory[i]))
			return NULL;
	}
	return scaler_template_holds(template, memory) ? template : NULL;
}

static void walk_step(struct walk *walk)
{
	const struct scaler_template *template = find_template(walk);
	uint64_t function = (walk->frame.pc - CODE_START) / 16;

	if (template) {
		walk->count += template->frames;
		walk->end = template->end;
		scaler_template_apply(template, &walk->frame, &walk->hash);
		walk->machine->used++;
		walk->machine->frames += template->frames;
		return;
	}
	if (!walk->recording.template.frames)
		scaler_recording_begin(&walk->recording, &walk->frame);
	if (function >= FUNCTIONS || walk->count == LIMIT) {
		walk->end = function >= FUNCTIONS ? SCALER_STACK_NO_CODE : SCALER_STACK_LIMIT;
		scaler_recording_keep(&walk->recording, keep, walk);
		return;
	}
	walk->count++;
	scaler_stack_hash_add(&walk->hash, walk->frame.pc);
	scaler_recording_step(&walk->recording, &walk->frame);
	uint64_t site = walk->frame.pc;
	struct scaler_unwind_rule rule = walk->machine->rules[function];
	walk->end = scaler_frame_step(&walk->frame, rule, read_and_record, walk);
	scaler_recording_go_on(&walk->recording, site, rule, &walk->frame, walk->end, keep, walk);
}

static struct walk walk_from(struct machine *machine, const struct scaler_frame *frame, bool with_templates)
{
	struct walk walk = { .machine = machine, .with_templates = with_templates, .frame = *frame };

	while (!walk.end)
		walk_step(&walk);
	return walk;
}

static void make_machine(struct machine *machine)
{
	memset(machine, 0, sizeof(*machine));
	for (size_t i = 0; i < STACK_WORDS; i++)
		machine->stack[i] = random_word();
	for (size_t i = 0; i < FUNCTIONS; i++)
		machine->rules[i] = random_rule();
	/* Walks that find one of these end; most should get far. */
	machine->rules[0].kind = SCALER_UNWIND_OUTERMOST;
}

static struct scaler_frame random_frame(void)
{
	struct scaler_frame frame = { .pc = CODE_START + 16 * below(FUNCTIONS) };

	frame.sp = STACK_START + 8 * below(STACK_WORDS / 4);
	frame.rbp = random_address();
	frame.rbx = random_address();
	return frame;
}

/* Between walks some registers change, and some words in their way, to something else and back. */
static void disturb(struct machine *machine, struct scaler_frame *frame)
{
	static uint64_t old, place;

	if (!below(4))
		frame->rbp = random_address();
	if (!below(4))
		frame->rbx = random_address();
	if (!below(3)) {
		machine->stack[place] = old;
		place = (frame->sp - STACK_START) / 8 + below(64);
		old = machine->stack[place];
		machine->stack[place] = random_word();
	}
}

Test(stack_template, changes_nothing)
{
	static struct machine machine;
	size_t used = 0, frames = 0, total = 0, changed = 0;

	for (int round = 0; round < 3000; round++) {
		struct scaler_frame starts[4];
		__u64 last = 0;

		make_machine(&machine);
		for (size_t i = 0; i < 4; i++)
			starts[i] = random_frame();
		for (int i = 0; i < 400; i++) {
			struct scaler_frame *start = &starts[below(4)];
			disturb(&machine, start);
			struct walk with = walk_from(&machine, start, true);
			struct walk without = walk_from(&machine, start, false);

			cr_assert_eq(with.end, without.end, "round %d.%d: %d, not %d", round, i, with.end,
				     without.end);
			cr_assert_eq(with.count, without.count, "round %d.%d", round, i);
			cr_assert(!memcmp(&with.hash, &without.hash, sizeof(with.hash)), "round %d.%d", round,
				  i);
			total += without.count;
			changed += with.hash.hash != last;
			last = with.hash.hash;
		}
		used += machine.used;
		frames += machine.frames;
	}
	/* Else there would be nothing to find fault with. */
	cr_expect_gt(frames, total / 3, "%zu of %zu frames by %zu templates", frames, total, used);
	cr_expect_gt(changed, 100000, "%zu", changed);
}
