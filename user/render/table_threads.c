// SPDX-License-Identifier: GPL-2.0-only
/* The table of threads. */
#include "render/tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/json_place.h"
#include "render/json_values.h"
#include "render/text.h"

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct thread_row *row = item;

	(void)buffer;
	return row->comm;
}

#define BAR_WIDTH 20

/* '#' running, '=' runnable, '.' blocked, together BAR_WIDTH characters, rounded as sums. */
static const char *bar_text(const void *item, char bar[VALUE_TEXT_SIZE])
{
	const struct thread_figures *figures = &((const struct thread_row *)item)->figures;
	const uint64_t *time_ns = figures->time_ns;
	double scale = figures->life_ns ? (double)BAR_WIDTH / (double)figures->life_ns : 0;
	int running = (int)((double)time_ns[SCALER_RUNNING] * scale + 0.5);
	int able = (int)((double)(time_ns[SCALER_RUNNING] + time_ns[SCALER_RUNNABLE]) * scale + 0.5);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '=', (size_t)able);
	memset(bar, '#', (size_t)running);
	bar[BAR_WIDTH] = '\0';
	return bar;
}

/* "read socket 1.234 s". */
static void top_call_cell(struct table *table, const struct report *report, const void *item)
{
	const struct thread_row *row = item;
	const struct scaler_call_id *id = &row->top_call;
	char name[SYSCALL_NAME_SIZE], text[UNITS_SIZE];

	(void)report;
	if (row->top_call_blocked_ns)
		table_cell(table, "%s%s%s %s", syscall_format(id->abi, id->number, name),
			   id->descriptor ? " " : "", syscall_descriptor_name(id->descriptor),
			   units_format_time(row->top_call_blocked_ns, text));
	else
		table_cell(table, "%s", "");
}

static json_t *top_call_object(const struct report *report, const void *item)
{
	const struct thread_row *row = item;
	const struct scaler_call_id *id = &row->top_call;
	char name[SYSCALL_NAME_SIZE];

	(void)report;
	if (!row->top_call_blocked_ns)
		return json_null();
	return json_pack("{s:s, s:s, s:o}", "name", syscall_format(id->abi, id->number, name), "descriptor",
			 syscall_descriptor_name(id->descriptor), "blocked_ns",
			 json_number(row->top_call_blocked_ns));
}

/* "libc.so.6:read 1.234 s" or "libssl.so.3:SSL_read > libc.so.6:read 1.234 s"; empty, if nothing tells functions. */
static void top_function_cell(struct table *table, const struct report *report, const void *item)
{
	const struct thread_row *row = item;
	const struct call_path *path = &row->top_path;
	char *entered, *innermost, text[UNITS_SIZE];

	if (!report_has_top_function(report, row)) {
		table_cell(table, "%s", "");
		return;
	}
	entered = text_format_place(report->places, path->entered);
	innermost = text_format_place(report->places, path->innermost);
	table->failed |= !entered || !innermost;
	table_cell(table, "%s%s%s %s", entered ?: "", path->innermost != path->entered ? " > " : "",
		   path->innermost != path->entered && innermost ? innermost : "",
		   units_format_time(row->top_path_ns, text));
	free(entered);
	free(innermost);
}

static json_t *top_function_object(const struct report *report, const void *item)
{
	const struct thread_row *row = item;

	if (!report_has_top_function(report, row))
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "function", json_place(report->places, row->top_path.entered),
			 "innermost", json_place(report->places, row->top_path.innermost), "total_ns",
			 json_number(row->top_path_ns));
}

static void thread_rest(const struct report *report, size_t first, void *item)
{
	struct thread_row *row = item;

	*row = (struct thread_row){ .figures = thread_summary_rest(&report->threads, first) };
}

#define OF(member) FIELD(struct thread_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_NAME, 0, "THREAD", "name", "the last one", .text = name_text },
	{ COLUMN_COUNT, 2, "PID", "pid", "of the process", OF(pid) },
	{ COLUMN_COUNT, 1, "TID", "tid", "of the thread", OF(tid) },
	{ COLUMN_MOMENT, 0, NULL, "start_ns", "when its life within the recording began", OF(start_ns) },
	{ COLUMN_FLAG, 0, NULL, "exited", "false: it lived on when the recording ended", OF(exited) },
	{ COLUMN_COUNT, 0, NULL, "cpus_allowed",
	  "on how many CPUs it may run, by its affinity and cpuset as they were last; 0: not known",
	  OF(cpus) },
	{ COLUMN_TIME, 1, "LIFE", "life_ns", "its life within the recording", OF(figures.life_ns), SUMMED },
	{ COLUMN_TIME, 0, "RUNNING #", "running_ns", "on a CPU", OF(figures.time_ns[SCALER_RUNNING]),
	  SUMMED },
	{ COLUMN_TIME, 3, "TRACER", "tracer_ns",
	  "of the running time, what the tracer took, by samples; it is in no other component than [tracer]",
	  OF(figures.tracer_ns), .hides_zero = true, SUMMED },
	{ COLUMN_TIME, 0, "RUNNABLE =", "runnable_ns", "able to run and waiting for a CPU",
	  OF(figures.time_ns[SCALER_RUNNABLE]), SUMMED },
	{ COLUMN_TIME, 3, "QUOTA", "quota_ns",
	  "of that, kept from a CPU because its cgroup had used up its CPU quota (cpu.max); at least",
	  OF(figures.quota_ns), .hides_zero = true, SUMMED },
	{ COLUMN_TIME, 0, "BLOCKED .", "blocked_ns", "switched out in a sleeping state, up to the wakeup",
	  OF(figures.time_ns[SCALER_BLOCKED]), SUMMED },
	{ COLUMN_WORD, 4, "", NULL, "the three states as a bar", .text = bar_text, SUMMED },
	{ COLUMN_COUNT, 4, "VOLUNTARY", "voluntary_switches", "switches out that asked to sleep",
	  OF(figures.voluntary), SUMMED },
	{ COLUMN_COUNT, 5, "INVOLUNTARY", "involuntary_switches", "all other switches out",
	  OF(figures.involuntary), SUMMED },
	{ COLUMN_OBJECT, 1, "TOP BLOCKING CALL", "top_blocking_call",
	  "the system call that it was blocked in for the longest time, partial ones included; null: none",
	  .cell = top_call_cell, .object = top_call_object, .type = "top_blocking_call" },
	{ COLUMN_OBJECT, 1, "TOP FUNCTION", "top_function",
	  "the row of \"functions\" that most of its time was due to; null: none is known, or stacks were "
	  "not walked for them (--report without functions, --depth 0)",
	  .cell = top_function_cell, .object = top_function_object, .type = "top_function" },
};
/* clang-format on */

const struct report_table report_table_threads = {
	.member = "threads",
	.help = "Every traced thread, by running time if --sort says nothing else. running_ns + runnable_ns "
		"+ blocked_ns = "
		"life_ns, exactly.",
	.row_type = ROW_TYPE(columns, struct thread_row),
	.rows = TABLE_ROWS(threads.rows, threads.row_count),
	.rest = thread_rest,
};

int text_threads(struct renderer *renderer, const struct report *report)
{
	const struct thread_summary *threads = &report->threads;

	fprintf(renderer->out, "\nThreads: %zu of %zu process%s\n\n", threads->row_count,
		threads->process_count, threads->process_count == 1 ? "" : "es");
	return text_report_table(renderer, report, &report_table_threads);
}
