// SPDX-License-Identifier: GPL-2.0-only
/* Which of the kernel's code is the tracer's: as the kernel tells of its programs, and by names. */
#include "probe/tracer_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/log.h"
#include "probe/recorder.h"
#include "target/kernel_symbols.h"
#include "scaler.skel.h"

/* More functions than a program has: it and those that it does not have inline. */
#define PROGRAM_FUNCTIONS 128

/* What a probe's hit leads through, from the trap on; on Arm, and where a return or a probe is a system call. */
static const char *const trap_functions[] = {
	"asm_exc_int3", "asm_exc_debug",       "el0_brk64",        "el0_softstp",
	"el0_dbg",      "__x64_sys_uretprobe", "__x64_sys_uprobe",
};

static void add_program(const struct bpf_program *program, struct scaler_code_range *ranges, size_t *count)
{
	uint64_t starts[PROGRAM_FUNCTIONS] = { 0 };
	uint32_t lengths[PROGRAM_FUNCTIONS] = { 0 };
	struct bpf_prog_info info = {
		.jited_ksyms = (uint64_t)(uintptr_t)starts,
		.nr_jited_ksyms = PROGRAM_FUNCTIONS,
		.jited_func_lens = (uint64_t)(uintptr_t)lengths,
		.nr_jited_func_lens = PROGRAM_FUNCTIONS,
	};
	uint32_t size = sizeof(info);
	int fd = bpf_program__fd(program);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	for (size_t i = 0; i < PROGRAM_FUNCTIONS && i < info.nr_jited_ksyms && *count < SCALER_CODE_RANGES;
	     i++) {
		if (starts[i] && lengths[i])
			ranges[(*count)++] = (struct scaler_code_range){ starts[i], starts[i] + lengths[i] };
	}
}

static size_t add_traps(struct scaler_code_range *ranges, size_t count)
{
	ssize_t found;

	if (count + ARRAY_SIZE(trap_functions) > SCALER_CODE_RANGES)
		return count;
	found = kernel_symbols_find_code(trap_functions, ARRAY_SIZE(trap_functions), ranges + count);
	if (found <= 0)
		log_debug("cannot tell probes' traps apart in samples: %s",
			  found ? strerror((int)-found) : "/proc/kallsyms shows no addresses");
	return found < 0 ? count : count + (size_t)found;
}

static int compare_ranges(const void *left, const void *right)
{
	const struct scaler_code_range *a = left, *b = right;

	return array_order(a->start, b->start);
}

void tracer_code_find(struct scaler_skeleton *skeleton, bool sets_probes)
{
	struct scaler_code_range *ranges = skeleton->bss->tracer_code.items;
	struct bpf_program *program;
	size_t count = 0;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		add_program(program, ranges, &count);
	}
	if (!count)
		log_debug("cannot tell our programs apart in samples: the kernel shows no addresses");
	if (sets_probes)
		count = add_traps(ranges, count);
	log_debug("%zu ranges of the kernel's code are the tracer's", count);
	for (size_t i = count; i < SCALER_CODE_RANGES; i++)
		ranges[i] = (struct scaler_code_range){ .start = ~0ULL };
	qsort(ranges, count, sizeof(*ranges), compare_ranges);
}
