// SPDX-License-Identifier: GPL-2.0-only
/* Call instructions and the linker's stubs, read from a file a few bytes at a time. */
#include "code/call_targets.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "code/instruction.h"

/* x86-64's calls: by a relative address, the same with a prefix that fills up, and by a word in memory. */
static const uint8_t call_sizes[] = { 5, 6 };
#define CALL_SIZE_MAX 6

struct call_targets {
	const struct linkage *linkage;
	int fd;
	struct instruction_decoder *decoder;
};

int call_targets_open(struct call_targets **result, const struct linkage *linkage, int fd)
{
	struct call_targets *targets = calloc(1, sizeof(*targets));
	int err;

	*result = NULL;
	if (!targets)
		return -ENOMEM;
	targets->linkage = linkage;
	targets->fd = fd;
	err = instruction_decoder_open(&targets->decoder);
	if (err)
		call_targets_close(targets);
	else
		*result = targets;
	return err;
}

void call_targets_close(struct call_targets *targets)
{
	if (!targets)
		return;
	instruction_decoder_close(targets->decoder);
	free(targets);
}

static const struct linkage_slot *find_by_stub(const struct call_targets *targets, uint64_t address)
{
	const struct elf_segment *segment = elf_segments_find(&targets->linkage->segments, address);
	uint8_t code[INSTRUCTION_STUB_BYTES];
	ssize_t size;
	uint64_t slot;

	if (!segment || !segment->executable)
		return NULL;
	size = pread(targets->fd, code, sizeof(code),
		     (off_t)(segment->offset + (address - segment->address)));
	if (size <= 0 || !instruction_read_stub(targets->decoder, code, (size_t)size, address, &slot))
		return NULL;
	return linkage_find_slot(targets->linkage, slot);
}

const struct linkage_slot *call_targets_find(const struct call_targets *targets, uint64_t offset)
{
	const struct linkage_slot *found = NULL;
	uint8_t code[CALL_SIZE_MAX];
	uint64_t address, first = offset + 1 - CALL_SIZE_MAX;

	if (offset + 1 < CALL_SIZE_MAX ||
	    !elf_segments_address(&targets->linkage->segments, first, &address) ||
	    pread(targets->fd, code, sizeof(code), (off_t)first) != sizeof(code))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(call_sizes) && !found; i++) {
		size_t at = CALL_SIZE_MAX - call_sizes[i];
		struct instruction call;

		if (instruction_decode(targets->decoder, &call, code + at, call_sizes[i], address + at) ||
		    call.size != call_sizes[i])
			continue;
		if (call.kind == INSTRUCTION_CALL_SLOT)
			found = linkage_find_slot(targets->linkage, call.target);
		else if (call.kind == INSTRUCTION_CALL)
			found = find_by_stub(targets, call.target);
	}
	return found;
}
