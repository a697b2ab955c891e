// SPDX-License-Identifier: GPL-2.0-only
/*
 * Caches whose bytes make no sense, though they were kept for the very file: exits of functions, functions that cost too
 * much. An input is which of them, and its bytes. They are kept below $XDG_CACHE_HOME, which is to be a folder of the fuzzer's.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "plan/call_exits.h"
#include "plan/costly_cache.h"
#include "plan/exit_cache.h"
#include "plan/file_cache.h"
#include "target/component.h"

#define FUNCTIONS 8

static const struct {
	const char *kind;
	uint32_t rules;
} caches[] = { { "exits", EXIT_RULES }, { "costly", COSTLY_RULES } };

static struct linked_file file;
static int fd;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fd = open(LIBRARY, O_RDONLY);
	if (!getenv("XDG_CACHE_HOME") || linkage_read(&file.linkage, fd) ||
	    !component_read_build_id(fd, file.component.build_id))
		abort();
	return 0;
}

/* A plan of the first functions, of which nothing is known yet. */
static void begin_plan(struct plan *plan)
{
	*plan = (struct plan){ .functions = calloc(FUNCTIONS, sizeof(*plan->functions)) };
	if (!plan->functions)
		abort();
	for (size_t i = 0; i < file.linkage.export_count && plan->function_count < FUNCTIONS; i++) {
		const struct linkage_export *function = &file.linkage.exports[i];
		const struct elf_segment *segment =
			elf_segments_find(&file.linkage.segments, function->address);

		if (segment)
			plan->functions[plan->function_count++].offset =
				function->address - segment->address + segment->offset;
	}
	if (!plan->function_count)
		abort();
}

static void find_exits(struct plan *plan)
{
	struct stat status;

	if (fstat(fd, &status) || call_exits_find(plan, &file, 0, fd, false))
		abort();
	for (size_t i = 0; i < plan->function_count; i++) {
		const struct plan_function *function = &plan->functions[i];

		if (function->exit_count > CODE_EXITS_MAX ||
		    function->first_exit + function->exit_count > plan->exit_count)
			abort();
	}
	for (size_t i = 0; i < plan->exit_count; i++) {
		if (plan->exits[i] >= (uint64_t)status.st_size)
			abort();
	}
}

static void find_costly(struct plan *plan)
{
	const struct costly_file costly = { .file = &file, .fd = fd };

	if (costly_cache_load(&costly, plan))
		abort();
	plan->functions[0].unhooked_ns = 1;
	costly_cache_store(&costly, plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file_cache_key key = { .fd = fd, .build_id = file.component.build_id };
	struct plan plan;

	if (!size)
		return 0;
	key.kind = caches[*data % ARRAY_SIZE(caches)].kind;
	key.rules = caches[*data % ARRAY_SIZE(caches)].rules;
	file_cache_store(&key, data + 1, size - 1);
	begin_plan(&plan);
	find_exits(&plan);
	find_costly(&plan);
	free(plan.functions);
	free(plan.exits);
	return 0;
}
