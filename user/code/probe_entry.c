// SPDX-License-Identifier: GPL-2.0-only
/* Where the beginnings of functions are probed. */
#include "code/probe_entry.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_bytes.h"
#include "code/instruction.h"

/* Instructions that are skipped because the first cannot be probed, and for one that is cheaper. */
#define SKIPPED_MOST       4
#define CHEAPER_AFTER_MOST 8
/* What is skipped, with the instruction behind it, is less. */
#define BEGINNING_BYTES 64
/* From where short jumps reach a function's beginning: before it, and behind it. */
#define BEFORE_BYTES 144
#define BEHIND_BYTES 208
/* Of larger files only functions' first instructions are probed. */
#define FILE_BYTES_MOST (256 << 20)
/* Read at a time, and the longest jump less a byte, which may begin in one piece and end in the next. */
#define PIECE_BYTES (1 << 20)
#define FAR_JUMP    6
#define OVERLAP     (FAR_JUMP - 1)

struct probe_entries {
	int fd;
	struct instruction_decoder *decoder; /* NULL: there is none for this machine */
	uint8_t *
		far_targets; /* owned; where far jumps of the file lead: a bit for each byte; NULL: not known */
	uint64_t size;
	bool has_looked;
};

/* The beginning of one function, and what is around it. */
struct beginning {
	const uint8_t *code; /* the function's */
	size_t before, behind;
	uint64_t starts; /* of instructions up to that which is probed: a bit for each byte */
	size_t skipped;
};

static size_t read_at(int fd, uint8_t *code, size_t size, uint64_t offset)
{
	ssize_t got = file_bytes_read(fd, offset, code, size);

	return got > 0 ? (size_t)got : 0;
}

/* If a far jump begins there, of which all is: where it leads, from there on. */
static bool read_far_jump(const uint8_t *code, int64_t *target)
{
	int32_t displacement;
	size_t size = *code == 0x0f ? FAR_JUMP : FAR_JUMP - 1;

	/* A call leads to a beginning as well, or into one. */
	if (*code != 0xe9 && *code != 0xe8 && (*code != 0x0f || (code[1] & 0xf0) != 0x80))
		return false;
	memcpy(&displacement, code + size - sizeof(displacement), sizeof(displacement));
	*target = (int64_t)size + displacement;
	return true;
}

static void note_far_jumps(struct probe_entries *entries, const uint8_t *code, size_t size, uint64_t offset)
{
	for (size_t at = 0; at + OVERLAP < size; at++) {
		int64_t target;

		if (!read_far_jump(code + at, &target))
			continue;
		target += (int64_t)(offset + at);
		if (target >= 0 && (uint64_t)target < entries->size)
			entries->far_targets[target / 8] |= (uint8_t)(1U << target % 8);
	}
}

/* Looks for all far jumps of the file. */
static void find_far_jumps(struct probe_entries *entries)
{
	uint8_t *piece;
	struct stat file;
	size_t got;

	entries->has_looked = true;
	if (file_bytes_stat(entries->fd, &file) || file.st_size <= 0 || file.st_size > FILE_BYTES_MOST)
		return;
	piece = malloc(PIECE_BYTES);
	if (!piece)
		return;
	entries->far_targets = calloc(1, (size_t)file.st_size / 8 + 1);
	entries->size = (uint64_t)file.st_size;
	for (uint64_t offset = 0; entries->far_targets; offset += got - OVERLAP) {
		got = read_at(entries->fd, piece, PIECE_BYTES, offset);
		if (got <= OVERLAP)
			break;
		note_far_jumps(entries, piece, got, offset);
	}
	free(piece);
}

static bool is_start(const struct beginning *beginning, int64_t at)
{
	return at >= 0 && (size_t)at <= beginning->skipped && beginning->starts >> at & 1;
}

static bool is_far_target(const struct probe_entries *entries, const struct beginning *beginning,
			  uint64_t function)
{
	for (size_t at = 0; at <= beginning->skipped; at++) {
		uint64_t target = function + at;

		/* To its first byte all calls of it lead, and who jumps there calls it, too. */
		if (at && is_start(beginning, (int64_t)at) && target < entries->size &&
		    entries->far_targets[target / 8] >> target % 8 & 1)
			return true;
	}
	return false;
}

/* If a short jump begins at code[at]; before the function's code: that is none. */
static int64_t short_target(const uint8_t *code, int64_t at)
{
	switch (code[at]) {
	case 0x70 ... 0x7f: /* jump if */
	case 0xe0 ... 0xe3: /* loop */
	case 0xeb:
		return at + 2 + (int8_t)code[at + 1];
	}
	return -1;
}

static bool is_short_target(const struct beginning *beginning, int64_t from, int64_t end)
{
	for (int64_t at = from; at + 1 < end; at++) {
		if (is_start(beginning, short_target(beginning->code, at)))
			return true;
	}
	return false;
}

/* From the function's code itself, which may jump far, too. */
static bool jumps_back(const struct probe_entries *entries, const struct beginning *beginning)
{
	struct instruction instruction;
	size_t at = 0;

	while (at < beginning->behind &&
	       !instruction_decode(entries->decoder, &instruction, beginning->code + at,
				   beginning->behind - at, at)) {
		if ((instruction.kind == INSTRUCTION_BRANCH || instruction.kind == INSTRUCTION_JUMP) &&
		    is_start(beginning, (int64_t)instruction.target))
			return true;
		at += instruction.size;
	}
	return is_short_target(beginning, (int64_t)at, (int64_t)beginning->behind);
}

static bool is_jumped_to(const struct probe_entries *entries, const struct beginning *beginning,
			 uint64_t function)
{
	return is_far_target(entries, beginning, function) ||
	       is_short_target(beginning, -(int64_t)beginning->before, 0) || jumps_back(entries, beginning);
}

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

static bool is_emulated(const uint8_t *code, size_t size)
{
	return probe_site_fault(code, size) == PROBE_SITE_SOUND &&
	       probe_site_kind(code, size) == PROBE_SITE_EMULATED;
}

/* Whether something that is emulated comes behind what may be skipped for that. */
static bool find_cheaper(struct beginning *beginning, struct instruction_decoder *decoder)
{
	struct instruction instruction;
	size_t at = 0;

	beginning->starts = 0;
	for (int i = 0; i <= CHEAPER_AFTER_MOST && at + PROBE_SITE_BYTES < BEGINNING_BYTES; i++) {
		const uint8_t *code = beginning->code + at;
		size_t size = beginning->behind - at;

		if (at >= beginning->behind || instruction_decode(decoder, &instruction, code, size, at))
			return false;
		beginning->starts |= 1ULL << at;
		beginning->skipped = at;
		if (is_emulated(code, size))
			return true;
		if (instruction.kind != INSTRUCTION_PLAIN || !instruction_keeps_arguments(decoder))
			return false;
		at += instruction.size;
	}
	return false;
}

/* Whether something that can be probed comes behind what may be skipped because it cannot. */
static bool find_sound(struct beginning *beginning, struct instruction_decoder *decoder)
{
	struct instruction instruction;
	size_t at = 0;

	beginning->starts = 0;
	for (int i = 0; i <= SKIPPED_MOST && at < beginning->behind; i++) {
		const uint8_t *code = beginning->code + at;
		size_t size = beginning->behind - at;

		if (instruction_decode(decoder, &instruction, code, size, at) ||
		    instruction.kind != INSTRUCTION_PLAIN)
			return false;
		beginning->starts |= 1ULL << at;
		beginning->skipped = at;
		if (probe_site_fault(code, size) == PROBE_SITE_SOUND)
			return probe_site_kind(code, size) != PROBE_SITE_NOP5;
		if (!may_be_skipped(*code))
			return false;
		at += instruction.size;
	}
	return false;
}

/* Behind the first instruction, if that is better. */
static void look_behind(struct probe_entries *entries, struct probe_entry *entry, struct beginning *beginning,
			uint64_t function)
{
	if (!entries->has_looked)
		find_far_jumps(entries);
	if (!entries->far_targets)
		return;
	if ((find_cheaper(beginning, entries->decoder) && !is_jumped_to(entries, beginning, function)) ||
	    (entry->fault && find_sound(beginning, entries->decoder) &&
	     !is_jumped_to(entries, beginning, function)))
		*entry = (struct probe_entry){
			.kind = probe_site_kind(beginning->code + beginning->skipped,
						beginning->behind - beginning->skipped),
			.skipped = (uint8_t)beginning->skipped,
		};
}

struct probe_entry probe_entries_find(struct probe_entries *entries, uint64_t function)
{
	uint8_t code[BEFORE_BYTES + BEHIND_BYTES];
	size_t before = function < BEFORE_BYTES ? (size_t)function : BEFORE_BYTES;
	size_t size = read_at(entries->fd, code, before + BEHIND_BYTES, function - before);
	struct beginning beginning = { .code = code + before,
				       .before = before,
				       .behind = size > before ? size - before : 0 };
	struct probe_entry entry = {
		.fault = probe_site_fault(beginning.code, beginning.behind),
		.kind = probe_site_kind(beginning.code, beginning.behind),
	};

	if (entries->decoder && beginning.behind && (entry.fault || entry.kind == PROBE_SITE_STEPPED))
		look_behind(entries, &entry, &beginning, function);
	return entry;
}

struct probe_entries *probe_entries_open(int fd)
{
	struct probe_entries *entries = calloc(1, sizeof(*entries));

	if (!entries)
		return NULL;
	entries->fd = fd;
	/* Without one the first instruction has to do. */
	instruction_decoder_open(&entries->decoder);
	return entries;
}

void probe_entries_close(struct probe_entries *entries)
{
	if (!entries)
		return;
	instruction_decoder_close(entries->decoder);
	free(entries->far_targets);
	free(entries);
}
