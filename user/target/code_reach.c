// SPDX-License-Identifier: GPL-2.0-only
/*
 * A graph of the functions that can be reached: a node's own bits are found by following its code, which adds the nodes
 * that it calls; then bits flow from the called to their callers until nothing changes.
 */
#include "target/code_reach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/distinct.h"
#include "target/instruction.h"
#include "target/jump_table.h"

/* More code than any library has. */
#define CODE_BYTES_MAX (256 << 20)

/* An executable segment. */
struct code_text {
	uint64_t address;
	size_t size;
	uint8_t *bytes; /* owned */
	uint32_t *
		visits; /* owned; for each byte the latest node, from 1, whose code has an instruction there */
};

struct code_node {
	uint64_t address; /* the key */
	uint32_t bits;
	uint32_t zero;
};

struct code_call {
	uint32_t from; /* nodes */
	uint32_t to;
};

struct reaching {
	const struct code_reach_rules *rules;
	const struct linkage *linkage;
	int fd;
	struct instruction_decoder *decoder;
	struct code_text *texts; /* owned */
	size_t text_count;
	struct distinct nodes;   /* of struct code_node */
	struct code_call *calls; /* owned */
	size_t call_count;
	size_t call_capacity;
	uint64_t *pending; /* owned; where the code of the present node goes on */
	size_t pending_count;
	size_t pending_capacity;
	size_t decoded; /* instructions */
	uint32_t node;  /* the present one */
	struct recent_code recent;
};

/* What is behind a call of them is not part of the caller. */
static const char *const endless[] = {
	"abort",      "_exit",          "exit", "quick_exit", "__assert_fail", "__stack_chk_fail",
	"__chk_fail", "__fortify_fail",
};

static bool is_endless(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(endless); i++) {
		if (!strcmp(endless[i], name))
			return true;
	}
	return false;
}

static struct code_node *get_node(const struct reaching *reaching, size_t index)
{
	return (struct code_node *)reaching->nodes.items + index;
}

static struct code_text *find_text(const struct reaching *reaching, uint64_t address)
{
	for (size_t i = 0; i < reaching->text_count; i++) {
		struct code_text *text = &reaching->texts[i];

		if (address >= text->address && address - text->address < text->size)
			return text;
	}
	return NULL;
}

/* Returns the node of a function, or SIZE_MAX without memory. */
static size_t add_node(struct reaching *reaching, uint64_t address)
{
	return distinct_add(&reaching->nodes, &address, sizeof(address), sizeof(struct code_node));
}

static int add_call(struct reaching *reaching, uint64_t address)
{
	struct code_call *calls = array_reserve(reaching->calls, reaching->call_count,
						&reaching->call_capacity, sizeof(*calls));
	size_t node;

	if (!calls)
		return -ENOMEM;
	reaching->calls = calls;
	node = add_node(reaching, address);
	if (node == SIZE_MAX)
		return -ENOMEM;
	calls[reaching->call_count++] = (struct code_call){ reaching->node, (uint32_t)node };
	return 0;
}

static int add_pending(struct reaching *reaching, uint64_t address)
{
	uint64_t *pending = array_reserve(reaching->pending, reaching->pending_count,
					  &reaching->pending_capacity, sizeof(*pending));

	if (!pending)
		return -ENOMEM;
	reaching->pending = pending;
	pending[reaching->pending_count++] = address;
	return 0;
}

static void add_bits(struct reaching *reaching, uint32_t bits)
{
	get_node(reaching, reaching->node)->bits |= bits;
}

static void add_anything(struct reaching *reaching)
{
	add_bits(reaching, reaching->rules->anything);
}

/*
 * Through a slot. A function of this file that has one may be replaced by another file's, so that its code here does not
 * tell.
 */
static void call_slot(struct reaching *reaching, uint64_t address)
{
	const struct linkage_slot *slot = linkage_find_slot(reaching->linkage, address);

	add_bits(reaching,
		 slot ? reaching->rules->outside(slot->name, slot->version) : reaching->rules->anything);
}

static bool is_endless_slot(const struct reaching *reaching, uint64_t address)
{
	const struct linkage_slot *slot = linkage_find_slot(reaching->linkage, address);

	return slot && is_endless(slot->name);
}

/* A stub of the procedure linkage table may begin with a mark, of four bytes, that it is called through pointers. */
#define STUB_INSTRUCTIONS 2

/* Whether a call of what is at the address does not return. */
static bool is_endless_call(const struct reaching *reaching, uint64_t address)
{
	const struct code_text *text = find_text(reaching, address);
	struct instruction instruction;

	for (int i = 0; text && i < STUB_INSTRUCTIONS && address - text->address < text->size; i++) {
		size_t at = address - text->address;

		if (instruction_decode(reaching->decoder, &instruction, text->bytes + at, text->size - at,
				       address))
			return false;
		if (instruction.kind != INSTRUCTION_PLAIN)
			return instruction.kind == INSTRUCTION_JUMP_SLOT &&
			       is_endless_slot(reaching, instruction.target);
		address += instruction.size;
	}
	return false;
}

static int follow_table(struct reaching *reaching, const struct jump_table *table)
{
	const struct elf_segment *segment = elf_segments_find(&reaching->linkage->segments, table->address);
	size_t bytes = table->count * sizeof(int32_t);
	int32_t *offsets;
	int err = 0;

	if (!segment || segment->writable || segment->size - (table->address - segment->address) < bytes) {
		add_anything(reaching);
		return 0;
	}
	offsets = malloc(bytes);
	if (!offsets)
		return -ENOMEM;
	if (pread(reaching->fd, offsets, bytes,
		  (off_t)(segment->offset + (table->address - segment->address))) != (ssize_t)bytes)
		add_anything(reaching);
	else
		for (size_t i = 0; i < table->count && !err; i++)
			err = add_pending(reaching, table->address + (uint64_t)(int64_t)offsets[i]);
	free(offsets);
	return err;
}

/* What a jump adds that leads away for good. */
static int take_jump(struct reaching *reaching, const struct instruction *instruction)
{
	struct jump_table table;

	switch (instruction->kind) {
	case INSTRUCTION_JUMP:
		return add_pending(reaching, instruction->target);
	case INSTRUCTION_JUMP_SLOT:
		call_slot(reaching, instruction->target);
		return 0;
	case INSTRUCTION_JUMP_COMPUTED:
		if (jump_table_find(&reaching->recent, &table))
			return follow_table(reaching, &table);
		add_anything(reaching);
		return 0;
	default:
		return 0;
	}
}

/* What one instruction adds. *goes_on: what is behind it may run next. */
static int take_instruction(struct reaching *reaching, const struct instruction *instruction, bool *goes_on)
{
	*goes_on = true;
	switch (instruction->kind) {
	case INSTRUCTION_PLAIN:
		return 0;
	case INSTRUCTION_BRANCH:
		return add_pending(reaching, instruction->target);
	case INSTRUCTION_CALL:
		*goes_on = !is_endless_call(reaching, instruction->target);
		return add_call(reaching, instruction->target);
	case INSTRUCTION_CALL_SLOT:
		*goes_on = !is_endless_slot(reaching, instruction->target);
		call_slot(reaching, instruction->target);
		return 0;
	case INSTRUCTION_CALL_COMPUTED:
	case INSTRUCTION_SYSTEM_CALL:
		add_anything(reaching);
		return 0;
	default:
		*goes_on = false;
		return take_jump(reaching, instruction);
	}
}

/* Once anything may be called, the rest of the code adds nothing. */
static bool is_settled(const struct reaching *reaching)
{
	return !(reaching->rules->anything & ~get_node(reaching, reaching->node)->bits);
}

/* From an address on until the code leads away, or has been followed before. */
static int follow_run(struct reaching *reaching, uint64_t address)
{
	struct code_text *text = find_text(reaching, address);
	struct instruction instruction;
	bool goes_on = true;
	int err = 0;

	reaching->recent.count = 0;
	while (goes_on && !err && !is_settled(reaching)) {
		size_t at = text ? address - text->address : 0;

		if (text && at < text->size && text->visits[at] == reaching->node + 1)
			return 0;
		if (!text || at >= text->size || reaching->decoded++ >= reaching->rules->most_instructions ||
		    instruction_decode(reaching->decoder, &instruction, text->bytes + at, text->size - at,
				       address)) {
			add_anything(reaching);
			return 0;
		}
		text->visits[at] = reaching->node + 1;
		recent_code_add(&reaching->recent, &instruction);
		err = take_instruction(reaching, &instruction, &goes_on);
		address += instruction.size;
	}
	return err;
}

static int follow_node(struct reaching *reaching, size_t node)
{
	int err;

	reaching->node = (uint32_t)node;
	reaching->pending_count = 0;
	err = add_pending(reaching, get_node(reaching, node)->address);
	while (!err && reaching->pending_count && !is_settled(reaching))
		err = follow_run(reaching, reaching->pending[--reaching->pending_count]);
	return err;
}

/* Callers are mostly found before what they call, so that most calls are settled by one pass backwards. */
static void spread_bits(struct reaching *reaching)
{
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (size_t i = reaching->call_count; i; i--) {
			const struct code_call *call = &reaching->calls[i - 1];
			struct code_node *from = get_node(reaching, call->from);
			uint32_t more = get_node(reaching, call->to)->bits & ~from->bits;

			from->bits |= more;
			has_changed |= more != 0;
		}
	}
}

static int read_text(struct reaching *reaching, const struct elf_segment *segment)
{
	struct code_text *text = &reaching->texts[reaching->text_count++];
	size_t done = 0;

	text->address = segment->address;
	text->bytes = malloc(segment->size + 1);
	text->visits = calloc(segment->size + 1, sizeof(*text->visits));
	if (!text->bytes || !text->visits)
		return -ENOMEM;
	while (done < segment->size) {
		ssize_t size = pread(reaching->fd, text->bytes + done, segment->size - done,
				     (off_t)(segment->offset + done));

		if (size < 0)
			return -errno;
		if (!size)
			break;
		done += (size_t)size;
	}
	text->size = done;
	return 0;
}

static int read_texts(struct reaching *reaching)
{
	const struct elf_segments *segments = &reaching->linkage->segments;
	size_t bytes = 0;
	int err = 0;

	reaching->texts = calloc(segments->count + 1, sizeof(*reaching->texts));
	if (!reaching->texts)
		return -ENOMEM;
	for (size_t i = 0; i < segments->count && !err; i++) {
		const struct elf_segment *segment = &segments->items[i];

		if (!segment->executable || segment->size > CODE_BYTES_MAX - bytes)
			continue;
		bytes += segment->size;
		err = read_text(reaching, segment);
	}
	return err;
}

static int find(struct reaching *reaching, const uint64_t *functions, size_t count, uint32_t *bits)
{
	int err = instruction_decoder_open(&reaching->decoder) ?: read_texts(reaching);

	for (size_t i = 0; i < count && !err; i++) {
		if (add_node(reaching, functions[i]) == SIZE_MAX)
			err = -ENOMEM;
	}
	/* Each may add some. */
	for (size_t i = 0; i < reaching->nodes.count && !err; i++)
		err = follow_node(reaching, i);
	if (err)
		return err;
	spread_bits(reaching);
	for (size_t i = 0; i < count; i++)
		bits[i] = get_node(reaching, add_node(reaching, functions[i]))->bits;
	return 0;
}

int code_reach_find(const struct code_reach_rules *rules, const struct linkage *linkage, int fd,
		    const uint64_t *functions, size_t count, uint32_t *bits)
{
	struct reaching reaching = { .rules = rules, .linkage = linkage, .fd = fd };
	int err = find(&reaching, functions, count, bits);

	instruction_decoder_close(reaching.decoder);
	for (size_t i = 0; i < reaching.text_count; i++) {
		free(reaching.texts[i].bytes);
		free(reaching.texts[i].visits);
	}
	free(reaching.texts);
	distinct_clear(&reaching.nodes);
	free(reaching.calls);
	free(reaching.pending);
	return err;
}
