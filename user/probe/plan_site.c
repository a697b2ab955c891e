// SPDX-License-Identifier: GPL-2.0-only
/* The first instructions of functions, from their files. */
#include "probe/plan_site.h"

#include <stdlib.h>
#include <unistd.h>

#include "target/probe_entry.h"

static size_t read_at(int fd, uint8_t *code, size_t size, uint64_t offset)
{
	ssize_t got = pread(fd, code, size, (off_t)offset);

	return got > 0 ? (size_t)got : 0;
}

/* With what is around it; without the memory for that, only the first instruction counts. */
static void find_entry(struct probe_entry *entry, int fd, uint64_t offset)
{
	size_t before = offset < PROBE_ENTRY_REACH ? offset : PROBE_ENTRY_REACH;
	uint8_t *code = malloc(before + PROBE_ENTRY_REACH);

	if (!code)
		return;
	probe_entry_find(entry, code, read_at(fd, code, before + PROBE_ENTRY_REACH, offset - before), before);
	free(code);
}

void plan_site_read(struct plan_function *function, int fd)
{
	static const enum plan_omission omissions[] = {
		[PROBE_SITE_SOUND] = PLAN_NOT_OMITTED,
		[PROBE_SITE_REFUSED] = PLAN_REFUSED,
		[PROBE_SITE_MISTAKEN] = PLAN_MISTAKEN,
	};
	uint8_t code[PROBE_SITE_BYTES];
	struct probe_entry entry;
	size_t size;

	if (fd < 0) {
		function->omission = PLAN_GONE;
		return;
	}
	size = read_at(fd, code, sizeof(code), function->offset);
	entry = (struct probe_entry){ probe_site_fault(code, size), probe_site_kind(code, size), 0 };
	if (entry.fault)
		find_entry(&entry, fd, function->offset);
	function->omission = omissions[entry.fault];
	function->site = entry.kind;
	function->skipped = entry.skipped;
}

uint64_t plan_site_offset(const struct plan_function *function)
{
	return function->offset + function->skipped;
}
