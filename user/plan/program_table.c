// SPDX-License-Identifier: GPL-2.0-only
/* What each BPF program is there for, and which kernels' features decide between them. */
#include "plan/program_table.h"

#include <string.h>

#include "base/array.h"

#define BIT(feature)    (1U << FEATURE_##feature)
#define NEEDS(feature)  .needs = BIT(feature)
#define UNLESS(feature) .unless = BIT(feature)
#define LATE            .is_late = true
#define HELPS(program, of, ...)                                                                              \
	{                                                                                                    \
		.name = program, .use = of, .end = PROGRAM_HELPS, __VA_ARGS__                                \
	}
#define RECORDS(program, of, ...)                                                                            \
	{                                                                                                    \
		.name = program, .use = of, .end = PROGRAM_RECORDS, __VA_ARGS__                              \
	}

static const struct program_row rows[] = {
	RECORDS("scaler_switch", USE_STATES),
	RECORDS("scaler_waking", USE_STATES),
	RECORDS("scaler_switch_blocking", USE_BLOCKING),
	RECORDS("scaler_waking_blocking", USE_BLOCKING),
	RECORDS("scaler_packet_sent", USE_BLOCKING),
	RECORDS("scaler_softirq_entry", USE_BLOCKING),
	RECORDS("scaler_softirq_exit", USE_BLOCKING),
	RECORDS("scaler_irq_entry", USE_BLOCKING),
	RECORDS("scaler_irq_exit", USE_BLOCKING),
	RECORDS("scaler_timer_entry", USE_BLOCKING),
	RECORDS("scaler_timer_exit", USE_BLOCKING),
	RECORDS("scaler_hrtimer_entry", USE_BLOCKING),
	RECORDS("scaler_hrtimer_exit", USE_BLOCKING),
	RECORDS("scaler_request_issue", USE_BLOCKING),
	RECORDS("scaler_request_complete", USE_BLOCKING),
	RECORDS("scaler_requeue", USE_BLOCKING, NEEDS(RAW_SYSCALLS), LATE),
	RECORDS("scaler_work_queued", USE_BLOCKING),
	RECORDS("scaler_work_started", USE_BLOCKING),
	RECORDS("scaler_work_ended", USE_BLOCKING),
	HELPS("scaler_read_blocked", USE_BLOCKING),
	HELPS("scaler_find_sched_text", USE_BLOCKING),
	HELPS("scaler_place_blocked", USE_BLOCKING, NEEDS(USER_MEMORY)),

	RECORDS("scaler_sys_enter", USE_CALLS, NEEDS(BTF_SYSCALLS)),
	RECORDS("scaler_sys_exit", USE_CALLS, NEEDS(BTF_SYSCALLS)),
	RECORDS("scaler_sys_enter_raw", USE_CALLS, NEEDS(RAW_SYSCALLS), UNLESS(BTF_SYSCALLS)),
	RECORDS("scaler_sys_exit_raw", USE_CALLS, NEEDS(RAW_SYSCALLS), UNLESS(BTF_SYSCALLS)),
	RECORDS("scaler_call_function", USE_CALLS, NEEDS(KPROBE_MULTI), UNLESS(RAW_SYSCALLS), LATE),
	RECORDS("scaler_call_function_return", USE_CALLS, NEEDS(KPROBE_MULTI), UNLESS(RAW_SYSCALLS), LATE),
	HELPS("scaler_place_open_calls", USE_CALLS, NEEDS(USER_MEMORY)),

	HELPS("scaler_sample", USE_SAMPLES),
	HELPS("scaler_describe_address_spaces", USE_STACKS, LATE),
	HELPS("scaler_reserve_component", USE_STACKS, LATE),

	HELPS("scaler_library_hit", USE_FUNCTIONS, LATE),
	HELPS("scaler_library_nothing", USE_FUNCTIONS, LATE),
	HELPS("scaler_close_library_calls", USE_FUNCTION_TIMES),

	HELPS("scaler_learn_tracer", USE_ALWAYS),
	HELPS("scaler_find_targets", USE_ALWAYS),
	HELPS("scaler_read_threads", USE_ALWAYS),
	RECORDS("scaler_task_new", USE_ALWAYS),
	/* Threads' exits are followed to the last. */
	HELPS("scaler_task_exit", USE_ALWAYS),
	HELPS("scaler_task_freed", USE_ALWAYS, UNLESS(TASK_STORAGE)),
	RECORDS("scaler_process_exec", USE_FOLLOWING),
	RECORDS("scaler_mappings_held", USE_FOLLOWING, NEEDS(TASK_WORK)),
	RECORDS("scaler_mappings_told", USE_FOLLOWING, UNLESS(TASK_WORK)),
	RECORDS("scaler_task_rename", USE_NAMES),
	RECORDS("scaler_task_moved", USE_CGROUP),
};

const struct program_row *program_row_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	}
	return NULL;
}

bool program_row_applies(const struct program_row *row, const bool uses[USE_COUNT], unsigned int features)
{
	return uses[row->use] && !(row->needs & ~features) && !(row->unless & features);
}
