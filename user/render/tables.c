// SPDX-License-Identifier: GPL-2.0-only
/* Which parts of a report are tables. */
#include "render/tables.h"

const struct report_table *const report_tables[REPORT_PART_COUNT] = {
	[PART_WAITS] = &report_table_waits,         [PART_LOCKS] = &report_table_locks,
	[PART_BLOCKING] = &report_table_blocking,   [PART_COMPONENTS] = &report_table_components,
	[PART_FUNCTIONS] = &report_table_functions, [PART_CPU] = &report_table_cpu,
	[PART_LIBRARY] = &report_table_library,     [PART_FLOW] = &report_table_flow,
	[PART_CALLS] = &report_table_calls,         [PART_THREADS] = &report_table_threads,
	[PART_LATENCY] = &report_table_latency,
};
