// SPDX-License-Identifier: GPL-2.0-only
/* Where a function's beginning can be probed. */
#include "target/probe_entry.h"

#include <stdbool.h>
#include <string.h>

#include "target/instruction.h"

#define SKIPPED_MOST 4 /* instructions */

/* Its first byte tells that it is one of the vector instructions since AVX, or locked. */
static bool may_be_skipped(uint8_t first)
{
	switch (first) {
	case 0x62:
	case 0xc4:
	case 0xc5:
	case 0xf0:
		return true;
	}
	return false;
}

/* Where a jump would lead whose displacement is at code[at], from code[0] on. */
static int64_t near_target(const uint8_t *code, size_t at)
{
	return (int64_t)at + (int64_t)sizeof(int8_t) + (int8_t)code[at];
}

static int64_t far_target(const uint8_t *code, size_t at)
{
	int32_t displacement;

	memcpy(&displacement, code + at, sizeof(displacement));
	return (int64_t)(at + sizeof(displacement)) + displacement;
}

/* If an instruction begins at code[at]; before the code: that is no jump. */
static int64_t jump_target(const uint8_t *code, size_t size, size_t at)
{
	size_t left = size - at;

	switch (code[at]) {
	case 0x70 ... 0x7f: /* jump if */
	case 0xe0 ... 0xe3: /* loop */
	case 0xeb:
		return left > sizeof(int8_t) ? near_target(code, at + 1) : -1;
	case 0xe9:
		return left > sizeof(int32_t) ? far_target(code, at + 1) : -1;
	case 0x0f: /* jump if */
		return left > 1 + sizeof(int32_t) && (code[at + 1] & 0xf0) == 0x80 ?
			       far_target(code, at + 2) :
			       -1;
	}
	return -1;
}

/* Where a function's instructions begin, up to that which is probed: a bit for each byte. */
struct beginning {
	uint64_t starts;
	size_t skipped;
};

_Static_assert(SKIPPED_MOST *PROBE_SITE_BYTES < 64, "their starts are bits of one word");

static bool is_jumped_to(const uint8_t *code, size_t size, size_t function, const struct beginning *beginning)
{
	for (size_t at = 0; at < size; at++) {
		int64_t target = jump_target(code, size, at) - (int64_t)function;

		if (target >= 0 && (size_t)target <= beginning->skipped && beginning->starts >> target & 1)
			return true;
	}
	return false;
}

/* Returns whether something that can be probed comes behind what may be skipped. */
static bool find_beginning(struct beginning *beginning, struct instruction_decoder *decoder,
			   const uint8_t *code, size_t size)
{
	struct instruction instruction;
	size_t at = 0;

	*beginning = (struct beginning){ 0 };
	for (int i = 0; i <= SKIPPED_MOST && at < size; i++) {
		if (instruction_decode(decoder, &instruction, code + at, size - at, at) ||
		    instruction.kind != INSTRUCTION_PLAIN)
			return false;
		beginning->starts |= 1ULL << at;
		beginning->skipped = at;
		if (probe_site_fault(code + at, size - at) == PROBE_SITE_SOUND)
			return true;
		if (!may_be_skipped(code[at]))
			return false;
		at += instruction.size;
	}
	return false;
}

static bool skip(struct beginning *beginning, const uint8_t *code, size_t size, size_t function)
{
	struct instruction_decoder *decoder;
	bool found;

	if (instruction_decoder_open(&decoder))
		return false;
	found = find_beginning(beginning, decoder, code + function, size - function);
	instruction_decoder_close(decoder);
	return found && !is_jumped_to(code, size, function, beginning);
}

void probe_entry_find(struct probe_entry *entry, const uint8_t *code, size_t size, size_t function)
{
	size_t left = function < size ? size - function : 0;
	struct beginning beginning = { 0 };

	*entry = (struct probe_entry){ .fault = probe_site_fault(code + function, left) };
	if (entry->fault && left && may_be_skipped(code[function]) && skip(&beginning, code, size, function))
		*entry = (struct probe_entry){ .skipped = (uint8_t)beginning.skipped };
	if (!entry->fault)
		entry->kind = probe_site_kind(code + function + entry->skipped, left - entry->skipped);
}
