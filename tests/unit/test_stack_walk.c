// SPDX-License-Identifier: GPL-2.0-only
/* Steps up stacks made for it, and walks up this program's own beside the C library's unwinder. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "elf/unwind_table.h"
#include "target/component.h"
#include "target/process_maps.h"
#include "target/stack_walk.h"

#define LOST   SCALER_UNWIND_LOST
#define AT_RBP SCALER_UNWIND_AT_RBP

/* A stack of words from this address on; each word is its own number unless a test says otherwise. */
#define STACK_START 0x7000
#define STACK_WORDS 64
#define AT(word)    (STACK_START + 8 * (word))

static long read_word(void *context, __u64 address, __u64 *word)
{
	const uint64_t *stack = context;
	uint64_t index = (address - STACK_START) / 8;

	if (address < STACK_START || index >= STACK_WORDS)
		return -1;
	*word = stack[index];
	return 0;
}

static const struct {
	const char *name;
	struct scaler_unwind_rule rule;
	struct scaler_frame frame, caller;
	enum scaler_stack_end end;
} steps[] = {
	{ "rsp",
	  { SCALER_UNWIND_RSP, 0, 0, 0, 16 },
	  { .sp = AT(4), .rbp = 1 },
	  { 5 - 1, AT(6), 1, 0, 0, 0, 0, 0 },
	  0 },
	{ "rdi",
	  { SCALER_UNWIND_RETURN_IN_RDI, 0, 0, 2, 16 },
	  { .sp = AT(4), .rbp = 1, .rdi = 78 },
	  { 78 - 1, AT(6), 1, 0, 0, AT(4), 0, 0 },
	  0 },
	{ "rdi, on its stack",
	  { SCALER_UNWIND_RETURN_IN_RDI, 0, 0, 0, 0 },
	  { .sp = AT(4), .rdi = 78 },
	  { 78 - 1, AT(4), 0, 0, 0, 0, 0, 0 },
	  0 },
	{ "rdi, of a caller",
	  { SCALER_UNWIND_RETURN_IN_RDI, 0, 0, 0, 0 },
	  { .sp = AT(4) },
	  { .sp = AT(4) },
	  SCALER_STACK_REGISTER },
	{ "rsp, rdi is not the caller's",
	  { SCALER_UNWIND_RSP, 0, 0, 0, 16 },
	  { .sp = AT(4), .rdi = 78 },
	  { 5 - 1, AT(6), 0, 0, 0, 0, 0, 0 },
	  0 },
	{ "rsp, both saved",
	  { SCALER_UNWIND_RSP, 0, 2, 3, 32 },
	  { .sp = AT(12) },
	  { 15 - 1, AT(16), 0, 0, AT(14), AT(13), 0, 0 },
	  0 },
	{ "rsp, both lost",
	  { SCALER_UNWIND_RSP, 0, LOST, LOST, 8 },
	  { .sp = AT(4) },
	  { 4 - 1, AT(5), 0, 0, 1, 1, 0, 0 },
	  0 },
	{ "rsp, saved before",
	  { SCALER_UNWIND_RSP, 0, 0, 0, 8 },
	  { .sp = AT(4), .rbp_at = AT(2), .rbx_at = 1 },
	  { 4 - 1, AT(5), 0, 0, AT(2), 1, 0, 0 },
	  0 },
	{ "rbp",
	  { SCALER_UNWIND_RBP, 0, 2, 0, 16 },
	  { .sp = AT(2), .rbp = AT(8) },
	  { 9 - 1, AT(10), AT(8), 0, AT(8), 0, 0, 0 },
	  0 },
	{ "rbp, read where it was saved",
	  { SCALER_UNWIND_RBP, 0, 0, 0, -0x6000 },
	  { .sp = 0x10, .rbp_at = AT(9) },
	  { 0, 0, 9, 0, 0, 0, 0, 0 },
	  SCALER_STACK_IMPLAUSIBLE },
	{ "rbp, lost",
	  { SCALER_UNWIND_RBP, 0, 2, 0, 16 },
	  { .sp = AT(2), .rbp_at = 1 },
	  { .rbp_at = 1 },
	  SCALER_STACK_REGISTER },
	{ "rbp, saved where nothing is",
	  { SCALER_UNWIND_RBP, 0, 2, 0, 16 },
	  { .sp = AT(2), .rbp_at = AT(64) },
	  { 0 },
	  SCALER_STACK_MEMORY },
	{ "rbx",
	  { SCALER_UNWIND_RBX, 0, 0, 0, 32 },
	  { .sp = AT(2), .rbx = AT(8) },
	  { 11 - 1, AT(12), 0, AT(8), 0, 0, 0, 0 },
	  0 },
	{ "realigned",
	  { SCALER_UNWIND_RBP_LOAD, 0, AT_RBP, LOST, -8 },
	  { .sp = AT(2), .rbp = AT(8) },
	  { 19 - 1, AT(20), AT(8), 0, AT(8), 1, 0, 0 },
	  0 },
	{ "loaded",
	  { SCALER_UNWIND_RSP_LOAD, 1, 0, 0, 40 },
	  { .sp = AT(2) },
	  { 20 - 1, AT(21), 0, 0, 0, 0, 0, 0 },
	  0 },
	{ "loaded from nowhere",
	  { SCALER_UNWIND_RSP_LOAD, 1, 0, 0, 800 },
	  { .sp = AT(2) },
	  { 0 },
	  SCALER_STACK_MEMORY },
	{ "return address 0",
	  { SCALER_UNWIND_RSP, 0, 0, 0, 8 },
	  { .sp = AT(0) },
	  { 0 },
	  SCALER_STACK_COMPLETE },
	{ "above the stack",
	  { SCALER_UNWIND_RSP, 0, 0, 0, 8 },
	  { .sp = AT(64) },
	  { 0 },
	  SCALER_STACK_MEMORY },
	{ "downwards", { SCALER_UNWIND_RSP, 0, 0, 0, -8 }, { .sp = AT(9) }, { 0 }, SCALER_STACK_IMPLAUSIBLE },
	{ "nowhere", { SCALER_UNWIND_RSP, 0, 0, 0, 0 }, { .sp = AT(9) }, { 0 }, SCALER_STACK_IMPLAUSIBLE },
	{ "askew", { SCALER_UNWIND_RSP, 0, 0, 0, 12 }, { .sp = AT(9) }, { 0 }, SCALER_STACK_IMPLAUSIBLE },
	{ "signal",
	  { SCALER_UNWIND_SIGNAL, 0, 0, 0, 0 },
	  { .sp = AT(4) },
	  { 25, 24, 0, 0, AT(19), AT(20), 0, 0 },
	  0 },
	{ "signal, frame cut",
	  { SCALER_UNWIND_SIGNAL, 0, 0, 0, 0 },
	  { .sp = AT(50) },
	  { 0 },
	  SCALER_STACK_MEMORY },
	{ "outermost",
	  { SCALER_UNWIND_OUTERMOST, 0, 0, 0, 0 },
	  { .sp = AT(4) },
	  { 0 },
	  SCALER_STACK_COMPLETE },
	{ "as asked", { SCALER_UNWIND_AS_ASKED, 0, 0, 0, 0 }, { .sp = AT(4) }, { 0 }, SCALER_STACK_AS_ASKED },
	{ "cannot", { SCALER_UNWIND_CANNOT, 0, 0, 0, 1 }, { .sp = AT(4) }, { 0 }, SCALER_STACK_NO_RULE },
	{ "unknown", { 0 }, { .sp = AT(4) }, { 0 }, SCALER_STACK_NO_RULE },
	{ "frame pointer",
	  { SCALER_UNWIND_FRAME_POINTER, 0, 0, 0, 0 },
	  { .sp = AT(4), .rbp = AT(30) },
	  { AT(41) - 1, AT(32), AT(30), 0, AT(30), 1, 0, 1 },
	  0 },
	{ "frame pointer, not after a call",
	  { SCALER_UNWIND_FRAME_POINTER, 0, 0, 0, 0 },
	  { .sp = AT(4), .rbp = AT(32) },
	  { 0 },
	  SCALER_STACK_IMPLAUSIBLE },
	{ "frame pointer below",
	  { SCALER_UNWIND_FRAME_POINTER, 0, 0, 0, 0 },
	  { .sp = AT(31), .rbp = AT(30) },
	  { 0 },
	  SCALER_STACK_IMPLAUSIBLE },
	{ "frame pointer far above",
	  { SCALER_UNWIND_FRAME_POINTER, 0, 0, 0, 0 },
	  { .sp = AT(4) - SCALER_FRAME_LIMIT, .rbp = AT(30) },
	  { 0 },
	  SCALER_STACK_IMPLAUSIBLE },
};

static void make_stack(uint64_t stack[STACK_WORDS])
{
	for (uint64_t i = 0; i < STACK_WORDS; i++)
		stack[i] = i;
	/* The word that a realigned frame keeps its CFA in, and the one that "loaded" does. */
	stack[7] = AT(20);
	/* To "code" in the stack itself: behind call *%rax, and behind none. */
	stack[31] = AT(41);
	stack[40] = 0xd0ff000000000000;
	stack[33] = AT(43);
}

Test(unwind_step, every_kind)
{
	uint64_t stack[STACK_WORDS];

	make_stack(stack);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct scaler_frame frame = steps[i].frame;
		const struct scaler_frame *caller = &steps[i].caller;
		enum scaler_stack_end end = scaler_frame_step(&frame, steps[i].rule, read_word, stack);

		cr_expect_eq(end, steps[i].end, "%s: %d", steps[i].name, end);
		cr_expect(end || !memcmp(&frame, caller, sizeof(frame)),
			  "%s: pc %#llx sp %#llx rbp %#llx at %#llx rbx %#llx at %#llx", steps[i].name,
			  frame.pc, frame.sp, frame.rbp, frame.rbp_at, frame.rbx, frame.rbx_at);
	}
}

/* The last bytes before a return address, as the assembler makes them of calls. */
Test(unwind_step, calls)
{
	static const struct {
		const char *bytes; /* the last ones of eight, the others are 0x90 */
		size_t size;
		int is_call;
	} codes[] = {
		{ "\xe8\x10\x20\x30\x40", 5, 1 },         /* call symbol */
		{ "\xff\xd0", 2, 1 },                     /* call *%rax */
		{ "\x41\xff\xd7", 3, 1 },                 /* call *%r15 */
		{ "\xff\x10", 2, 1 },                     /* call *(%rax) */
		{ "\xff\x50\x08", 3, 1 },                 /* call *8(%rax) */
		{ "\xff\x54\x24\x08", 4, 1 },             /* call *8(%rsp) */
		{ "\xff\x14\xc3", 3, 1 },                 /* call *(%rbx,%rax,8) */
		{ "\xff\x15\x10\x20\x30\x40", 6, 1 },     /* call *symbol(%rip) */
		{ "\xff\x94\xc3\x10\x20\x30\x40", 7, 1 }, /* call *symbol(%rbx,%rax,8) */
		{ "\xff\xe0", 2, 0 },                     /* jmp *%rax */
		{ "\xe9\x10\x20\x30\x40", 5, 0 },         /* jmp symbol */
		{ "\x0f\x05", 2, 0 },                     /* syscall */
		{ "\x48\x89\xe5", 3, 0 },                 /* mov %rsp,%rbp */
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		__u64 word = 0x9090909090909090;

		memcpy((char *)&word + sizeof(word) - codes[i].size, codes[i].bytes, codes[i].size);
		cr_expect_eq(scaler_ends_in_direct_call(word) || scaler_ends_in_indirect_call(word),
			     codes[i].is_call, "%zu", i);
	}
}

/* This program's code; a site is the address itself. */
struct own_code {
	struct process_maps maps;
	struct unwind_table *tables[64]; /* by mapping */
};

static uint64_t find_code(void *context, uint64_t address, struct scaler_unwind_rule *rule)
{
	struct own_code *code = context;
	const struct process_mapping *mapping = process_maps_find(&code->maps, address);
	struct unwind_table **table = &code->tables[mapping - code->maps.mappings];
	char path[KERNEL_PATH_TEXT_SIZE];

	if (!mapping)
		return 0;
	if (!*table) {
		int fd = open(component_path(&mapping->component, path) ?: "", O_RDONLY | O_CLOEXEC);

		cr_assert_geq(fd, 0, "%s", component_name(&mapping->component));
		cr_assert_eq(unwind_table_open(table, fd, -1), 0);
		close(fd);
	}
	*rule = unwind_table_find_offset(*table, address - mapping->component.start + mapping->offset, true);
	return address;
}

/* Nothing here is walked by frame pointers. */
static bool read_no_code(void *context, uint64_t address, uint64_t *word)
{
	(void)context;
	(void)address;
	(void)word;
	return false;
}

/* What was found from one place in this program. */
static struct {
	struct stack_frames ours;
	uint64_t theirs[SCALER_STACK_FRAMES];
	size_t their_count;
} found;

/* The C library's unwinder is the compiler's. */
static _Unwind_Reason_Code add_theirs(struct _Unwind_Context *context, void *unused)
{
	int is_interrupted = 0;
	uint64_t address = _Unwind_GetIPInfo(context, &is_interrupted);

	(void)unused;
	/* It ends with one that is no frame. */
	if (!address || found.their_count == SCALER_STACK_FRAMES)
		return _URC_END_OF_STACK;
	found.theirs[found.their_count++] = is_interrupted ? address : address - 1;
	return _URC_NO_REASON;
}

/* Around the stack pointer: this thread's stack, or what a signal handler has in place of it. */
static void find_stack(uint64_t sp, uint64_t *end)
{
	unsigned long long low, high;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%llx-%llx", &low, &high) == 2 && sp >= low && sp < high)
			*end = high;
	}
	if (maps)
		fclose(maps);
}

static __attribute__((noinline)) void walk_from_here(void)
{
	static unsigned char bytes[1 << 20];
	struct own_code own = { 0 };
	const struct stack_code code = { &own, find_code, read_no_code };
	struct stack_copy copy = { .bytes = bytes };
	struct scaler_frame frame = { 0 };
	uint64_t end = 0;
	int memory;

	__asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3"
			 : "=r"(frame.pc), "=r"(frame.sp), "=r"(frame.rbp), "=r"(frame.rbx));
	_Unwind_Backtrace(add_theirs, NULL);
	find_stack(frame.sp, &end);
	copy.start = frame.sp;
	cr_assert(end);
	copy.size = end - frame.sp < sizeof(bytes) ? end - frame.sp : sizeof(bytes);
	memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	cr_assert_eq(pread(memory, bytes, copy.size, (off_t)frame.sp), (ssize_t)copy.size);
	close(memory);
	cr_assert_eq(process_maps_read(&own.maps, getpid()), 0);
	cr_assert_leq(own.maps.count, sizeof(own.tables) / sizeof(*own.tables));
	stack_walk(frame, &copy, &code, SCALER_STACK_FRAMES, &found.ours);
	for (size_t i = 0; i < own.maps.count; i++)
		unwind_table_close(own.tables[i]);
	process_maps_clear(&own.maps);
}

/* All but the first, where both were called from. */
static void expect_same_frames(void)
{
	for (size_t i = 1; i < found.ours.count; i++)
		cr_expect_eq(found.ours.sites[i], found.theirs[i], "%zu: %#lx and %#lx", i,
			     found.ours.sites[i], found.theirs[i]);
}

static void expect_whole_stack(void)
{
	cr_expect_eq(found.ours.end, SCALER_STACK_COMPLETE, "%d", found.ours.end);
	cr_expect_eq(found.ours.count, found.their_count, "%zu and %zu", found.ours.count, found.their_count);
	expect_same_frames();
}

static __attribute__((noinline)) int with_array(int size)
{
	volatile char array[size];

	array[0] = 1;
	walk_from_here();
	return array[0];
}

static int compare_and_walk(const void *a, const void *b)
{
	if (!found.ours.count)
		with_array(1000);
	return *(const int *)a - *(const int *)b;
}

/* Through a function with an array of its own, and the C library's sort. */
Test(stack_walk, own_stack)
{
	int numbers[] = { 3, 1, 2 };

	qsort(numbers, 3, sizeof(*numbers), compare_and_walk);
	cr_expect_gt(found.ours.count, 8);
	expect_whole_stack();
}

static void walk_in_handler(int number)
{
	(void)number;
	walk_from_here();
}

Test(stack_walk, out_of_a_signal_handler)
{
	const struct sigaction action = { .sa_handler = walk_in_handler };

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	expect_whole_stack();
}

/* The stack that was interrupted is not in the copy. */
Test(stack_walk, alternative_stack)
{
	const struct sigaction action = { .sa_handler = walk_in_handler, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_sp = malloc(1 << 17), .ss_size = 1 << 17 };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	cr_expect_eq(found.ours.end, SCALER_STACK_NOT_COPIED, "%d", found.ours.end);
	/* What walks, the handler (which can have jumped there), and where it returns to. */
	cr_expect(found.ours.count == 3 || found.ours.count == 4, "%zu", found.ours.count);
	expect_same_frames();
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	free(stack.ss_sp);
}

/* Stacks that are deeper than what is recorded, that lead out of the code, or round in circles. */
static uint64_t two_words_below_0x8000(void *context, uint64_t address, struct scaler_unwind_rule *rule)
{
	(void)context;
	*rule = (struct scaler_unwind_rule){ SCALER_UNWIND_RSP, 0, 0, 0, 16 };
	return address < 0x8000 ? address + 1 : 0;
}

Test(stack_walk, ends)
{
	const struct stack_code code = { NULL, two_words_below_0x8000, read_no_code };
	uint64_t words[4 * SCALER_STACK_FRAMES];
	struct stack_copy copy = { STACK_START, (unsigned char *)words, sizeof(words), 0, false };
	struct stack_frames frames = { .count = 0 };
	const struct scaler_frame frame = { .pc = 5, .sp = STACK_START };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		words[i] = 0x100 + i;
	stack_walk(frame, &copy, &code, SCALER_STACK_FRAMES, &frames);
	cr_expect_eq(frames.end, SCALER_STACK_LIMIT);
	cr_expect_eq(frames.count, SCALER_STACK_FRAMES);
	cr_expect_eq(frames.sites[0], 6);
	cr_expect_eq(frames.sites[2], 0x103);
	frames.count = 0;
	stack_walk(frame, &copy, &code, 4, &frames);
	cr_expect_eq(frames.end, SCALER_STACK_LIMIT);
	cr_expect_eq(frames.count, 4);
	words[5] = 0x123456789;
	frames.count = 0;
	stack_walk(frame, &copy, &code, SCALER_STACK_FRAMES, &frames);
	cr_expect_eq(frames.end, SCALER_STACK_NO_CODE);
	cr_expect_eq(frames.count, 3);
	copy.size = 4 * sizeof(*words) - 1;
	frames.count = 0;
	stack_walk(frame, &copy, &code, SCALER_STACK_FRAMES, &frames);
	cr_expect_eq(frames.end, SCALER_STACK_NOT_COPIED);
	cr_expect_eq(frames.count, 2);
}
