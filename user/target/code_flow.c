// SPDX-License-Identifier: GPL-2.0-only
/* Executable segments in memory, with a mark for each byte that an instruction was found at. */
#include "target/code_flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_bytes.h"
#include "target/jump_table.h"

/* More code than any library has. */
#define CODE_BYTES_MAX (256 << 20)

/* An executable segment. */
struct code_text {
	uint64_t address;
	size_t size;
	uint8_t *bytes;  /* owned */
	uint32_t *marks; /* owned; for each byte the latest way that has come to an instruction there */
};

struct code_flow {
	const struct linkage *linkage;
	int fd;
	struct instruction_decoder *decoder;
	struct code_text *texts; /* owned */
	size_t text_count;
	uint64_t *exports; /* owned; addresses in ascending order */
	uint64_t *pending; /* owned; where the code goes on */
	size_t pending_count;
	size_t pending_capacity;
	uint32_t mark; /* of the present way */
	size_t left;   /* instructions that it may take */
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

static struct code_text *find_text(const struct code_flow *flow, uint64_t address)
{
	for (size_t i = 0; i < flow->text_count; i++) {
		struct code_text *text = &flow->texts[i];

		if (address >= text->address && address - text->address < text->size)
			return text;
	}
	return NULL;
}

static int decode(const struct code_flow *flow, uint64_t address, struct instruction *instruction)
{
	const struct code_text *text = find_text(flow, address);
	size_t at = text ? address - text->address : 0;

	return text ? instruction_decode(flow->decoder, instruction, text->bytes + at, text->size - at,
					 address) :
		      -EILSEQ;
}

/* The address of the slot by which the stub at an address jumps; false: there is no stub. */
static bool read_stub(const struct code_flow *flow, uint64_t address, uint64_t *slot)
{
	const struct code_text *text = find_text(flow, address);
	size_t at = text ? address - text->address : 0;

	return text && instruction_read_stub(flow->decoder, text->bytes + at, text->size - at, address, slot);
}

bool code_flow_is_stub(const struct code_flow *flow, uint64_t address)
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

	if (!segment || segment->writable || segment->size - (table->address - segment->address) < bytes)
		return 0;
	offsets = malloc(bytes);
	if (!offsets)
		return -ENOMEM;
	if (pread(flow->fd, offsets, bytes, (off_t)(segment->offset + (table->address - segment->address))) ==
	    (ssize_t)bytes) {
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

/* The next instruction; false: it is not known. */
static bool take_next(struct code_flow *flow, uint64_t address, struct instruction *instruction)
{
	struct code_text *text = find_text(flow, address);

	if (!text || !flow->left || decode(flow, address, instruction))
		return false;
	flow->left--;
	text->marks[address - text->address] = flow->mark;
	recent_code_add(&flow->recent, instruction);
	return true;
}

static bool is_marked(const struct code_flow *flow, uint64_t address)
{
	const struct code_text *text = find_text(flow, address);

	return text && text->marks[address - text->address] == flow->mark;
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
	flow->left = most;
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

static int read_text(struct code_flow *flow, const struct elf_segment *segment)
{
	struct code_text *text = &flow->texts[flow->text_count++];
	ssize_t got;

	text->address = segment->address;
	text->bytes = malloc(segment->size + 1);
	text->marks = calloc(segment->size + 1, sizeof(*text->marks));
	if (!text->bytes || !text->marks)
		return -ENOMEM;
	got = file_bytes_read(flow->fd, segment->offset, text->bytes, segment->size);
	text->size = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

static int read_texts(struct code_flow *flow)
{
	const struct elf_segments *segments = &flow->linkage->segments;
	size_t bytes = 0;
	int err = 0;

	flow->texts = calloc(segments->count + 1, sizeof(*flow->texts));
	if (!flow->texts)
		return -ENOMEM;
	for (size_t i = 0; i < segments->count && !err; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (!segment->executable || segment->size > CODE_BYTES_MAX - bytes)
			continue;
		bytes += segment->size;
		err = read_text(flow, segment);
	}
	return err;
}

int code_flow_open(struct code_flow **result, const struct linkage *linkage, int fd)
{
	struct code_flow *flow = calloc(1, sizeof(*flow));
	int err;

	*result = NULL;
	if (!flow)
		return -ENOMEM;
	flow->linkage = linkage;
	flow->fd = fd;
	err = instruction_decoder_open(&flow->decoder) ?: list_exports(flow) ?: read_texts(flow);
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
	for (size_t i = 0; i < flow->text_count; i++) {
		free(flow->texts[i].bytes);
		free(flow->texts[i].marks);
	}
	free(flow->texts);
	free(flow->exports);
	free(flow->pending);
	free(flow);
}
