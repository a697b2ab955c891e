// SPDX-License-Identifier: GPL-2.0-only
/* Where code ends that goes wrong ways; half of the changes are in the code and the tables of its switches. */
#include "changed_file.h"
#include "code/call_targets.h"
#include "code/code_exits.h"

#define CODE_AT   0x1000
#define CODE_SIZE 0x1200

#define TARGETS_LOOKED_AT 256 /* of a segment's bytes */

static void prepare(void)
{
	changed_file_read(&file, EXITS);
	file.part_at = CODE_AT;
	file.part_size = CODE_SIZE;
	if (file.size < CODE_AT + CODE_SIZE)
		abort();
}

/* What each byte's instruction calls that is a call's last. */
static void find_targets(const struct linkage *linkage, int fd)
{
	struct call_targets *targets;

	if (call_targets_open(&targets, linkage, fd))
		return;
	for (size_t i = 0; i < linkage->segments.count; i++) {
		const struct elf_segment *segment = &linkage->segments.items[i];

		for (uint64_t at = 0; at < segment->size && at < TARGETS_LOOKED_AT; at++)
			call_targets_find(targets, segment->offset + at);
	}
	call_targets_close(targets);
}

static void find_exits(const struct linkage *linkage, int fd)
{
	struct code_flow *flow;

	if (code_flow_open(&flow, linkage, fd))
		return;
	for (size_t i = 0; i < linkage->export_count; i++) {
		struct code_exits exits;

		if (code_exits_find(flow, linkage->exports[i].address, &exits) ||
		    exits.count > CODE_EXITS_MAX)
			abort();
	}
	code_flow_close(flow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = changed_file_open(&file, data, size);
	struct linkage linkage;

	linkage_read(&linkage, fd);
	find_exits(&linkage, fd);
	find_targets(&linkage, fd);
	close(fd);
	linkage_clear(&linkage);
	return 0;
}
