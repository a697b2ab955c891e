// SPDX-License-Identifier: GPL-2.0-only
/* Which of the BPF programs are loaded for a recording, and which of them end with it. */
#include "probe/programs.h"

#include <errno.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "plan/program_table.h"
#include "probe/features.h"
#include "probe/uprobe_link.h"
#include "scaler.skel.h"

static void expect_link(struct bpf_program *program, enum uprobe_link_kind kind)
{
	bpf_program__set_expected_attach_type(program, (enum bpf_attach_type)kind);
}

static void expect_links(struct scaler_skeleton *skeleton)
{
	enum uprobe_link_kind plain = uprobe_link_plain();

	expect_link(skeleton->progs.scaler_library_hit, plain);
	expect_link(skeleton->progs.scaler_library_nothing, plain);
}

static int refuse_calls(void)
{
	log_error("cannot record system calls: the kernel has neither their tracepoints nor kprobe links; "
		  "use one "
		  "with CONFIG_FTRACE_SYSCALLS=y, or --no-syscalls");
	return -EOPNOTSUPP;
}

int programs_choose(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs,
		    unsigned int frequency)
{
	const bool uses[USE_COUNT] = {
		[USE_ALWAYS] = true,
		[USE_STATES] = !knobs->records_blocking,
		[USE_BLOCKING] = knobs->records_blocking,
		[USE_CALLS] = knobs->records_calls,
		[USE_STACKS] = knobs->depth.frames,
		[USE_SAMPLES] = frequency,
		[USE_FUNCTIONS] = knobs->function_count,
		[USE_FUNCTION_TIMES] = knobs->times_library_calls,
		[USE_FOLLOWING] = knobs->follows_processes,
		[USE_NAMES] = knobs->target.comm[0] || !knobs->records_calls,
		[USE_CGROUP] = knobs->target.kind == SCALER_TARGET_CGROUP,
	};
	unsigned int features = features_set();
	struct bpf_program *program;

	if (knobs->records_calls && !(features & (1U << FEATURE_RAW_SYSCALLS | 1U << FEATURE_KPROBE_MULTI)))
		return refuse_calls();
	bpf_object__for_each_program(program, skeleton->obj)
	{
		const struct program_row *row = program_row_find(bpf_program__name(program));

		if (!row) {
			log_error("cannot load the program '%s': nothing tells what it is for",
				  bpf_program__name(program));
			return -EINVAL;
		}
		bpf_program__set_autoload(program, program_row_applies(row, uses, features));
		bpf_program__set_autoattach(program, !row->is_late);
	}
	expect_links(skeleton);
	return 0;
}

uint64_t programs_runs_missed(const struct scaler_skeleton *skeleton)
{
	struct bpf_program *program;
	uint64_t missed = 0;

	bpf_object__for_each_program(program, skeleton->obj)
	{
		/* Older kernels do not count them, and leave the figure as it is. */
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &size))
			missed += info.recursion_misses;
	}
	return missed;
}

void programs_stop(struct scaler_skeleton *skeleton)
{
	for (int i = 0; i < skeleton->skeleton->prog_cnt; i++) {
		const struct bpf_prog_skeleton *program = &skeleton->skeleton->progs[i];

		if (program_row_find(program->name)->end != PROGRAM_RECORDS)
			continue;
		bpf_link__destroy(*program->link);
		*program->link = NULL;
	}
}
