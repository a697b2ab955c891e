// SPDX-License-Identifier: GPL-2.0-only
/* Code that is read as it is followed, with a set of where an instruction was found. */
#include "code/code_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "code/jump_table.h"
#include "elf/elf_file.h"

/* More than any instruction has, and a stub. */
#define CODE_BYTES INSTRUCTION_STUB_BYTES

/* Of one way; the set of places is at least twice as large as the instructions that one may have. */
#define PLACES      (1 << 17)
#define PENDING_MAX (1 << 17)
#define CASES_MAX   (1 << 14) /* of one switch */

/* An executable segment. */
struct code_text {
	uint64_t address; /* first, for array_sort() and array_count_below() */
	uint64_t size;
	uint64_t offset; /* in the file */
};

/* Where the latest way has come to an instruction. */
struct code_place {
	uint64_t address;
	uint32_t mark; /* of that way */
};

struct code_flow {
	const struct linkage *linkage;
	struct elf_file file; /* owned, as is the rest */
	bool is_open;
	struct instruction_decoder *decoder;
	struct code_text *texts; /* by address */
	size_t text_count;
	uint64_t *exports; /* addresses in ascending order */
	uint64_t *pending; /* where the code goes on */
	size_t pending_count;
	size_t pending_capacity;
	struct code_place *places; /* a hash table */
	uint32_t mark;             /* of the present way */
	size_t left;               /* instructions that it may take */
	struct recent_code recent;
};

/* What is behind a call of them is not part of the caller. */
static const char *const endless[] = {
	"abort",      "_exit",          "exit", "quick_exit", "__assert_fail", "__stack_chk_fail",
	"__chk_fail", "__fortify_fail",
};

static bool is_endless(const struct linkage_slot *slot)
{
	for (size_t i = 0; slot && i < ARRAY_SIZE(endless); i++) {
		if (!strcmp(endless[i], slot->name))
			return true;
	}
	return false;
}

/* Copies what is at an address, up to the end of its segment. Returns how many bytes that is; 0: there is no code. */
static size_t copy_code(struct code_flow *flow, uint64_t address, uint8_t code[CODE_BYTES])
{
	/* No code begins at the last address there is, above which this is 0. */
	size_t count = array_count_below(flow->texts, flow->text_count, sizeof(*flow->texts), address + 1);
	const struct code_text *text = count ? &flow->texts[count - 1] : NULL;
	uint64_t into = text ? address - text->address : 0;
	size_t size = CODE_BYTES;

	if (!flow->is_open || !text || into >= text->size)
		return 0;
	if (size > text->size - into)
		size = text->size - into;
	return elf_file_copy(&flow->file, text->offset + into, code, size) ? size : 0;
}

static int decode(struct code_flow *flow, uint64_t address, struct instruction *instruction)
{
	uint8_t code[CODE_BYTES];
	size_t size = copy_code(flow, address, code);

	return size ? instruction_decode(flow->decoder, instruction, code, size, address) : -EILSEQ;
}

/* The address of the slot by which the stub at an address jumps; false: there is no stub. */
static bool read_stub(struct code_flow *flow, uint64_t address, uint64_t *slot)
{
	uint8_t code[CODE_BYTES];
	size_t size = copy_code(flow, address, code);

	return size && instruction_read_stub(flow->decoder, code, size, address, slot);
}

bool code_flow_is_stub(struct code_flow *flow, uint64_t address)
{
	uint64_t slot;

	return read_stub(flow, address, &slot);
}

static int add_pending(struct code_flow *flow, uint64_t address)
{
	uint64_t *pending =
		array_reserve(flow->pending, flow->pending_count, &flow->pending_capacity, sizeof(*pending));

	if (!pending)
		return -ENOMEM;
	flow->pending = pending;
	pending[flow->pending_count++] = address;
	return 0;
}

/* Adds the cases of a switch. Returns 1, or 0 if they cannot be read, or -ENOMEM. */
static int add_cases(struct code_flow *flow, const struct jump_table *table)
{
	const struct elf_segment *segment = elf_segments_find(&flow->linkage->segments, table->address);
	size_t bytes = table->count * sizeof(int32_t);
	int32_t *offsets;
	int result = 0;

	if (!segment || segment->writable || table->count > CASES_MAX ||
	    table->count > PENDING_MAX - flow->pending_count ||
	    segment->size - (table->address - segment->address) < bytes)
		return 0;
	offsets = malloc(bytes);
	if (!offsets)
		return -ENOMEM;
	if (elf_file_copy(&flow->file, segment->offset + (table->address - segment->address), offsets,
			  bytes)) {
		for (size_t i = 0; i < table->count && !result; i++)
			result = add_pending(flow, table->address + (uint64_t)(int64_t)offsets[i]);
		result = result ?: 1;
	}
	free(offsets);
	return result;
}

/* What the step is, with the help of what it leads to. */
static int look_behind(struct code_flow *flow, struct code_step *step)
{
	const struct instruction *instruction = step->instruction;
	uint64_t slot = instruction->target;
	struct jump_table table;
	int cases;

	switch (step->kind) {
	case INSTRUCTION_JUMP:
	case INSTRUCTION_CALL:
		if (!read_stub(flow, instruction->target, &slot))
			return 0;
		step->kind = step->kind == INSTRUCTION_JUMP ? INSTRUCTION_JUMP_SLOT : INSTRUCTION_CALL_SLOT;
		break;
	case INSTRUCTION_JUMP_SLOT:
	case INSTRUCTION_CALL_SLOT:
		break;
	case INSTRUCTION_JUMP_COMPUTED:
		cases = jump_table_find(&flow->recent, &table) ? add_cases(flow, &table) : 0;
		if (cases > 0)
			step->kind = INSTRUCTION_PLAIN;
		step->leaves = recent_code_leaves(&flow->recent);
		return cases < 0 ? cases : 0;
	default:
		return 0;
	}
	step->slot = linkage_find_slot(flow->linkage, slot);
	return 0;
}

/* Where it goes on besides what is behind it; *goes_on: that is, too. */
static int go_on(struct code_flow *flow, const struct code_step *step, bool *goes_on)
{
	*goes_on = true;
	switch (step->kind) {
	case INSTRUCTION_PLAIN:
		*goes_on = step->instruction->kind == INSTRUCTION_PLAIN;
		return 0;
	case INSTRUCTION_BRANCH:
		return add_pending(flow, step->instruction->target);
	case INSTRUCTION_CALL_SLOT:
		*goes_on = !is_endless(step->slot);
		return 0;
	case INSTRUCTION_CALL:
	case INSTRUCTION_CALL_COMPUTED:
	case INSTRUCTION_SYSTEM_CALL:
		return 0;
	case INSTRUCTION_JUMP:
		*goes_on = false;
		return add_pending(flow, step->instruction->target);
	default:
		*goes_on = false;
		return 0;
	}
}

/* Where the address is in the set, or would be put; there is room, as a way has fewer instructions. */
static struct code_place *find_place(const struct code_flow *flow, uint64_t address)
{
	/* 2^64 / phi, Knuth's multiplicative hash */
	size_t at = (size_t)((address * 0x9E3779B97F4A7C15ULL) >> 32);

	while (flow->places[at & (PLACES - 1)].mark == flow->mark &&
	       flow->places[at & (PLACES - 1)].address != address)
		at++;
	return &flow->places[at & (PLACES - 1)];
}

/* The next instruction; false: it is not known. */
static bool take_next(struct code_flow *flow, uint64_t address, struct instruction *instruction)
{
	if (!flow->left || decode(flow, address, instruction))
		return false;
	flow->left--;
	*find_place(flow, address) = (struct code_place){ address, flow->mark };
	recent_code_add(&flow->recent, instruction);
	return true;
}

static bool is_marked(const struct code_flow *flow, uint64_t address)
{
	return find_place(flow, address)->mark == flow->mark;
}

/* From an address on until the code leads away, or has been followed before. */
static int follow_run(struct code_flow *flow, uint64_t address, code_step_take take, void *context)
{
	struct instruction instruction;
	bool goes_on = true;
	int err = 0;

	flow->recent.count = 0;
	while (goes_on && !err && !is_marked(flow, address)) {
		struct code_step step = { .instruction = &instruction };

		if (!take_next(flow, address, &instruction))
			return take(context, &(struct code_step){ 0 });
		step.kind = instruction.kind;
		err = look_behind(flow, &step) ?: go_on(flow, &step, &goes_on);
		if (!err && instruction.kind != INSTRUCTION_PLAIN)
			err = take(context, &step);
		address += instruction.size;
	}
	return err;
}

ssize_t code_flow_follow(struct code_flow *flow, uint64_t address, size_t most, code_step_take take,
			 void *context)
{
	int err;

	flow->mark++;
	flow->left = most < PLACES / 2 ? most : PLACES / 2;
	most = flow->left;
	flow->pending_count = 0;
	err = add_pending(flow, address);
	while (!err && flow->pending_count)
		err = follow_run(flow, flow->pending[--flow->pending_count], take, context);
	return err < 0 ? err : (ssize_t)(most - flow->left);
}

static int compare_addresses(const void *left, const void *right)
{
	return array_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int list_exports(struct code_flow *flow)
{
	size_t count = flow->linkage->export_count;

	flow->exports = calloc(count + 1, sizeof(*flow->exports));
	if (!flow->exports)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		flow->exports[i] = flow->linkage->exports[i].address;
	qsort(flow->exports, count, sizeof(*flow->exports), compare_addresses);
	return 0;
}

bool code_flow_is_export(const struct code_flow *flow, uint64_t address)
{
	return bsearch(&address, flow->exports, flow->linkage->export_count, sizeof(*flow->exports),
		       compare_addresses);
}

static int list_texts(struct code_flow *flow)
{
	const struct elf_segments *segments = &flow->linkage->segments;

	flow->texts = calloc(segments->count + 1, sizeof(*flow->texts));
	if (!flow->texts)
		return -ENOMEM;
	for (size_t i = 0; i < segments->count; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (segment->executable)
			flow->texts[flow->text_count++] =
				(struct code_text){ segment->address, segment->size, segment->offset };
	}
	return array_sort(flow->texts, flow->text_count, sizeof(*flow->texts));
}

static int make_places(struct code_flow *flow)
{
	flow->places = calloc(PLACES, sizeof(*flow->places));
	return flow->places ? 0 : -ENOMEM;
}

static int open_file(struct code_flow *flow, int fd)
{
	int err = elf_file_open(&flow->file, fd);

	flow->is_open = !err;
	/* It has changed since it was linked, and has no code. */
	return err == -ENOEXEC ? 0 : err;
}

int code_flow_open(struct code_flow **result, const struct linkage *linkage, int fd)
{
	struct code_flow *flow = calloc(1, sizeof(*flow));
	int err;

	*result = NULL;
	if (!flow)
		return -ENOMEM;
	flow->linkage = linkage;
	err = instruction_decoder_open(&flow->decoder) ?:
		      open_file(flow, fd)              ?:
		      list_exports(flow)               ?:
		      list_texts(flow)                 ?:
							 make_places(flow);
	if (err)
		code_flow_close(flow);
	else
		*result = flow;
	return err;
}

void code_flow_close(struct code_flow *flow)
{
	if (!flow)
		return;
	instruction_decoder_close(flow->decoder);
	if (flow->is_open)
		elf_file_close(&flow->file);
	free(flow->texts);
	free(flow->places);
	free(flow->exports);
	free(flow->pending);
	free(flow);
}
