// SPDX-License-Identifier: GPL-2.0-only
/* Which of the BPF programs are loaded for a recording, and which of them end with it. */
#include "probe/programs.h"

#include <bpf/libbpf.h>

#include "base/array.h"
#include "probe/features.h"
#include "probe/uprobe_link.h"
#include "scaler.skel.h"

/* What a program is there for. */
enum use {
	USE_ALWAYS,
	USE_STATES, /* the threads' states alone */
	USE_BLOCKING,
	USE_CALLS,
	USE_STACKS,
	USE_SAMPLES,
	USE_FUNCTIONS,
	USE_FUNCTION_TIMES,
	USE_FUNCTION_RETURNS,
	USE_FOLLOWING,
	USE_NAMES,
	USE_CGROUP,
	USE_PLACES_CALLS,
	USE_PLACES_BLOCKED,
	USE_COUNT,
};

struct program {
	struct bpf_program *program;
	enum use use;
	struct bpf_link **recording; /* NULL: it does not end with the recording */
};

#define PROGRAMS 32

#define RECORDS(name, use)                                                                                   \
	{                                                                                                    \
		skeleton->progs.name, use, &skeleton->links.name                                             \
	}
#define HELPS(name, use)                                                                                     \
	{                                                                                                    \
		skeleton->progs.name, use, NULL                                                              \
	}

static void list_programs(struct scaler_skeleton *skeleton, struct program list[PROGRAMS])
{
	const struct program all[] = {
		RECORDS(scaler_switch, USE_STATES),
		RECORDS(scaler_waking, USE_STATES),
		RECORDS(scaler_switch_blocking, USE_BLOCKING),
		RECORDS(scaler_waking_blocking, USE_BLOCKING),
		RECORDS(scaler_packet_sent, USE_BLOCKING),
		RECORDS(scaler_softirq_entry, USE_BLOCKING),
		RECORDS(scaler_softirq_exit, USE_BLOCKING),
		RECORDS(scaler_irq_entry, USE_BLOCKING),
		RECORDS(scaler_irq_exit, USE_BLOCKING),
		RECORDS(scaler_timer_entry, USE_BLOCKING),
		RECORDS(scaler_timer_exit, USE_BLOCKING),
		RECORDS(scaler_hrtimer_entry, USE_BLOCKING),
		RECORDS(scaler_hrtimer_exit, USE_BLOCKING),
		HELPS(scaler_read_blocked, USE_BLOCKING),
		HELPS(scaler_find_sched_text, USE_BLOCKING),
		RECORDS(scaler_sys_enter, USE_CALLS),
		RECORDS(scaler_sys_exit, USE_CALLS),
		HELPS(scaler_place_open_calls, USE_PLACES_CALLS),
		HELPS(scaler_place_blocked, USE_PLACES_BLOCKED),
		HELPS(scaler_sample, USE_SAMPLES),
		HELPS(scaler_describe_address_spaces, USE_STACKS),
		HELPS(scaler_library_entry, USE_FUNCTIONS),
		HELPS(scaler_library_nothing, USE_FUNCTIONS),
		HELPS(scaler_library_exit, USE_FUNCTION_TIMES),
		HELPS(scaler_library_session, USE_FUNCTION_RETURNS),
		HELPS(scaler_tracer_exit, USE_FUNCTION_RETURNS),
		HELPS(scaler_close_library_calls, USE_FUNCTION_TIMES),
		RECORDS(scaler_task_new, USE_ALWAYS),
		RECORDS(scaler_process_exec, USE_FOLLOWING),
		RECORDS(scaler_task_rename, USE_NAMES),
		RECORDS(scaler_task_moved, USE_CGROUP),
	};

	_Static_assert(ARRAY_SIZE(all) < PROGRAMS, "the last is empty");
	for (size_t i = 0; i < PROGRAMS; i++)
		list[i] = i < ARRAY_SIZE(all) ? all[i] : (struct program){ 0 };
}

static void expect_link(struct bpf_program *program, enum uprobe_link_kind kind)
{
	bpf_program__set_expected_attach_type(program, (enum bpf_attach_type)kind);
}

static void expect_links(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs)
{
	enum uprobe_link_kind plain = uprobe_link_plain();

	expect_link(skeleton->progs.scaler_library_entry, plain);
	expect_link(skeleton->progs.scaler_library_exit, plain);
	expect_link(skeleton->progs.scaler_library_session, UPROBE_LINK_SESSION);
	expect_link(skeleton->progs.scaler_library_nothing,
		    knobs->probes_library_returns ? UPROBE_LINK_SESSION : plain);
}

void programs_choose(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs,
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
		[USE_FUNCTION_RETURNS] = knobs->probes_library_returns,
		[USE_FOLLOWING] = knobs->follows_processes,
		[USE_NAMES] = knobs->target.comm[0] || !knobs->records_calls,
		[USE_CGROUP] = knobs->target.kind == SCALER_TARGET_CGROUP,
		[USE_PLACES_CALLS] = knobs->records_calls && features_have(FEATURE_USER_MEMORY),
		[USE_PLACES_BLOCKED] = knobs->records_blocking && features_have(FEATURE_USER_MEMORY),
	};
	/* Attached when they are needed: to one process; to functions, once they are known. */
	struct bpf_program *const later[] = {
		skeleton->progs.scaler_describe_address_spaces,
		skeleton->progs.scaler_library_entry,
		skeleton->progs.scaler_library_exit,
		skeleton->progs.scaler_library_session,
		skeleton->progs.scaler_library_nothing,
	};
	struct program list[PROGRAMS];

	list_programs(skeleton, list);
	for (const struct program *program = list; program->program; program++)
		bpf_program__set_autoload(program->program, uses[program->use]);
	for (size_t i = 0; i < ARRAY_SIZE(later); i++)
		bpf_program__set_autoattach(later[i], false);
	expect_links(skeleton, knobs);
}

void programs_stop(struct scaler_skeleton *skeleton)
{
	struct program list[PROGRAMS];

	list_programs(skeleton, list);
	for (const struct program *program = list; program->program; program++) {
		if (!program->recording)
			continue;
		bpf_link__destroy(*program->recording);
		*program->recording = NULL;
	}
}
