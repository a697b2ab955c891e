// SPDX-License-Identifier: GPL-2.0-only
/* When a frame pointer is believed: by the code of the call that it leads to. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include <scaler/stack_recording.h>
#include <scaler/unwind_step.h>

/* Memory is one run of bytes from here on: code, a table of slots, and a stack. */
#define START    0x10000
#define SIZE     0x1000
#define FUNCTION (START + 0x100)
#define OTHER    (START + 0x200)
#define LINKAGE  (START + 0x300)
#define CALLER   (START + 0x400)
#define SLOTS    (START + 0x600)
#define STACK    (START + 0x800)

struct memory {
	unsigned char bytes[SIZE];
	struct scaler_recording *recording;
};

static long read_word(void *context, __u64 address, __u64 *word)
{
	struct memory *memory = context;

	if (address < START || address - START > SIZE - sizeof(*word))
		return -1;
	memcpy(word, memory->bytes + (address - START), sizeof(*word));
	if (memory->recording)
		scaler_recording_read(memory->recording, address, *word);
	return 0;
}

static void write_bytes(struct memory *memory, uint64_t address, const void *bytes, size_t size)
{
	memcpy(memory->bytes + (address - START), bytes, size);
}

static void write_word(struct memory *memory, uint64_t address, uint64_t word)
{
	write_bytes(memory, address, &word, sizeof(word));
}

/* An instruction that has a distance as its last four bytes; returns where it ends. */
static uint64_t write_jump(struct memory *memory, uint64_t address, const char *opcode, size_t size,
			   uint64_t target)
{
	int32_t distance = (int32_t)(target - (address + size + sizeof(distance)));

	write_bytes(memory, address, opcode, size);
	write_bytes(memory, address + size, &distance, sizeof(distance));
	return address + size + sizeof(distance);
}

static uint64_t write_call(struct memory *memory, uint64_t target)
{
	return write_jump(memory, CALLER, "\xe8", 1, target);
}

/* The step from FUNCTION + 0x10, whose callee has left rbp at the stack's second word. */
static enum scaler_stack_end step(struct memory *memory, struct scaler_unwind_rule rule,
				  uint64_t return_address, struct scaler_frame *frame)
{
	*frame = (struct scaler_frame){ .pc = FUNCTION + 0x10, .sp = STACK, .rbp_at = STACK, .unsure = 1 };
	write_word(memory, STACK, STACK + 16);
	write_word(memory, STACK + 16, STACK + 64);
	write_word(memory, STACK + 24, return_address);
	return scaler_frame_step(frame, rule, read_word, memory);
}

static const struct scaler_unwind_rule known = { .kind = SCALER_UNWIND_FRAME_POINTER, .cfa_offset = 0x11 };
static const struct scaler_unwind_rule unknown = { .kind = SCALER_UNWIND_FRAME_POINTER };
static const struct scaler_unwind_rule set_up = { .kind = SCALER_UNWIND_FRAME_POINTER,
						  .rbp = SCALER_UNWIND_SET_UP,
						  .cfa_offset = 0x11 };

static void expect(struct memory *memory, const char *name, struct scaler_unwind_rule rule,
		   uint64_t return_address, enum scaler_stack_end end, int unsure)
{
	struct scaler_frame frame;
	enum scaler_stack_end found = step(memory, rule, return_address, &frame);

	cr_expect_eq(found, end, "%s: %d", name, found);
	if (end)
		return;
	cr_expect_eq(frame.unsure != 0, unsure, "%s", name);
	cr_expect_eq(frame.pc, return_address - 1, "%s", name);
	cr_expect_eq(frame.sp, STACK + 32, "%s", name);
}

Test(frame_pointer, direct_calls)
{
	struct memory memory = { 0 };
	uint64_t end = write_call(&memory, FUNCTION);

	expect(&memory, "to it", known, end, SCALER_STACK_GOES_ON, 0);
	expect(&memory, "from who knows where", unknown, end, SCALER_STACK_GOES_ON, 1);
	write_call(&memory, FUNCTION + 4);
	expect(&memory, "to another entry of it", known, end, SCALER_STACK_GOES_ON, 0);
	write_call(&memory, FUNCTION + 0x11);
	expect(&memory, "behind", known, end, SCALER_STACK_NOT_CALLED, 0);
	write_call(&memory, FUNCTION - 1);
	expect(&memory, "before", known, end, SCALER_STACK_NOT_CALLED, 0);
	write_call(&memory, OTHER);
	expect(&memory, "to another", known, end, SCALER_STACK_NOT_CALLED, 0);
	expect(&memory, "to another that went on to it", set_up, end, SCALER_STACK_GOES_ON, 0);
	write_call(&memory, START + SIZE);
	expect(&memory, "to what is not there", known, end, SCALER_STACK_MEMORY, 0);
}

Test(frame_pointer, calls_by_linkage_tables)
{
	static const struct {
		const char *prefix;
		size_t size;
	} entries[] = {
		{ "\xff\x25", 2 },                     /* jmp *slot(%rip) */
		{ "\xf2\xff\x25", 3 },                 /* bnd */
		{ "\xf3\x0f\x1e\xfa\xff\x25", 6 },     /* endbr64 */
		{ "\xf3\x0f\x1e\xfa\xf2\xff\x25", 7 }, /* both */
	};
	struct memory memory = { 0 };
	uint64_t end = write_call(&memory, LINKAGE);

	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		write_jump(&memory, LINKAGE, entries[i].prefix, entries[i].size, SLOTS);
		write_word(&memory, SLOTS, FUNCTION);
		expect(&memory, "to it", known, end, SCALER_STACK_GOES_ON, 0);
		write_word(&memory, SLOTS, OTHER);
		expect(&memory, "to another", known, end, SCALER_STACK_NOT_CALLED, 0);
		write_jump(&memory, LINKAGE, entries[i].prefix, entries[i].size, START + SIZE);
		expect(&memory, "without its slot", known, end, SCALER_STACK_MEMORY, 0);
	}
	write_jump(&memory, LINKAGE, "\xe9", 1, FUNCTION);
	expect(&memory, "by a jump", known, end, SCALER_STACK_GOES_ON, 0);
	write_jump(&memory, LINKAGE, "\xe9", 1, OTHER);
	expect(&memory, "by a jump to another", known, end, SCALER_STACK_NOT_CALLED, 0);
}

Test(frame_pointer, indirect_calls)
{
	struct memory memory = { 0 };

	write_bytes(&memory, CALLER, "\xff\xd0", 2);
	expect(&memory, "undecided", known, CALLER + 2, SCALER_STACK_GOES_ON, 1);
	expect(&memory, "undecided, and of what", unknown, CALLER + 2, SCALER_STACK_GOES_ON, 1);
	expect(&memory, "its own pointer", set_up, CALLER + 2, SCALER_STACK_GOES_ON, 0);
	expect(&memory, "no call", set_up, CALLER + 1, SCALER_STACK_IMPLAUSIBLE, 0);
	/* The distance of a direct call, to another, may look like an indirect one. */
	write_bytes(&memory, CALLER, "\xe8\x10\x20\xff\xd0", 5);
	expect(&memory, "either", known, CALLER + 5, SCALER_STACK_GOES_ON, 1);
}

static void ignore(void *context, const struct scaler_template *template)
{
	(void)context;
	(void)template;
}

/* Code that was looked at is none of a template's words, and that it is unsure is kept with it. */
Test(frame_pointer, templates)
{
	struct scaler_recording recording = { 0 };
	struct memory memory = { .recording = &recording };
	struct scaler_frame frame = { .pc = FUNCTION + 0x10, .sp = STACK, .rbp_at = STACK };
	uint64_t end = write_call(&memory, LINKAGE);
	enum scaler_stack_end found;

	write_jump(&memory, LINKAGE, "\xff\x25", 2, SLOTS);
	write_word(&memory, SLOTS, FUNCTION);
	scaler_recording_begin(&recording, &frame);
	for (int i = 0; i < 2; i++) {
		frame.rbp_at = STACK;
		scaler_recording_step(&recording, &frame);
		found = step(&memory, i ? unknown : known, end, &frame);
		cr_assert_eq(found, SCALER_STACK_GOES_ON);
		scaler_recording_go_on(&recording, 1, i ? unknown : known, &frame, found, ignore, NULL);
		cr_expect_eq(recording.template.unsure, i);
		cr_expect_eq(recording.template.words, i ? 4 : 2, "%d", recording.template.words);
	}
}
