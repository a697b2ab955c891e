// SPDX-License-Identifier: GPL-2.0-only
/* The table of waits, summed. */
#include "render/tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "render/text.h"
#include "render/wait_columns.h"

_Static_assert(offsetof(struct wait_row, longest) == 0, "render/wait_columns.h takes it for a blocking_row");

static const struct scaler_task_names *names_of(const void *item)
{
	return &((const struct wait_row *)item)->longest.interval->names;
}

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	return text_comm(names_of(item)->comm, buffer);
}

static bool has_one_process(const void *item)
{
	const struct wait_row *row = item;

	return row->process_count == 1;
}

static uint64_t pid_number(const void *item)
{
	return names_of(item)->tgid;
}

static uint64_t tid_number(const void *item)
{
	return names_of(item)->tid;
}

static uint64_t start_number(const void *item)
{
	const struct wait_row *row = item;

	return row->longest.interval->start_ns;
}

static void pid_cell(struct table *table, const struct report *report, const void *item)
{
	const struct wait_row *row = item;

	(void)report;
	if (has_one_process(item))
		table_cell(table, "%" PRIu32, names_of(item)->tgid);
	else
		table_cell(table, "%zu processes", row->process_count);
}

static const char *bound_mark(const void *item)
{
	const struct wait_row *row = item;

	return row->figures.is_lower_bound ? ">=" : "";
}

static void wait_rest(const struct report *report, size_t first, void *item)
{
	struct wait_row *row = item;

	*row = (struct wait_row){ .figures = wait_summary_rest(&report->waits, first) };
}

#define OF(member) FIELD(struct wait_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_NAME, 0, "THREAD", "name", "of the threads", .text = name_text },
	{ COLUMN_COUNT, 3, "PID", "pid", "of the process; null: there are several", .number = pid_number,
	  .is_there = has_one_process, .cell = pid_cell },
	{ COLUMN_COUNT, 0, NULL, "processes", "how many have such threads", OF(process_count) },
	{ COLUMN_COUNT, 2, "THREADS", "threads", "how many of that name waited", OF(thread_count) },
	{ COLUMN_COUNT, 0, "WAITS", "waits", "how many intervals", OF(figures.count), SUMMED },
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns", "their sum, from the beginning to the wakeup",
	  OF(figures.blocked_ns), .mark = bound_mark, SUMMED },
	{ COLUMN_TIME, 1, "DELAY", "delay_ns", "their sum, from the wakeup on: waiting for a CPU",
	  OF(figures.delay_ns), SUMMED },
	{ COLUMN_TIME, 2, "P99", "p99_ns",
	  "of the intervals' times blocked: the least that 99 % of them do not exceed", OF(p99_ns),
	  .mark = bound_mark },
	{ COLUMN_TIME, 1, "MAX", "max_ns", "the longest one's", OF(longest.blocked_ns), .mark = bound_mark },
	{ COLUMN_COUNT, 0, NULL, "max_tid", "the thread that it is of", .number = tid_number },
	{ COLUMN_COUNT, 0, NULL, "max_start_ns", "when it began", .number = start_number },
	{ COLUMN_FLAG, 0, NULL, "is_lower_bound", "of these times: that of an interval is",
	  OF(figures.is_lower_bound) },
	WAIT_PLACE_COLUMNS,
	{ COLUMN_FLAG, 0, NULL, "is_several",
	  "they were on several things of that kind: what tells these apart is null in the resource, as "
	  "address, fd, inode and pid",
	  OF(longest.resource.is_several) },
	WAKER_COLUMNS(text_wakers_cell),
	{ COLUMN_OBJECT, 0, NULL, "wakeup",
	  "as in \"blocking\", but for the task: the process and name of the threads that woke them",
	  .object = json_wakeups_object, .type = "wakeups" },
};
/* clang-format on */

const struct report_table report_table_waits = {
	.member = "waits",
	.help = "The intervals of \"blocking\" summed, without those of threads that were in one all the "
		"time. Of one sum are "
		"those of threads of one name that are alike in syscall, kernel_function, function, "
		"innermost, caller, "
		"cut, the kind of resource (a variable, a file's path, sockets of one server, else only what "
		"it is) and "
		"wakeup (by threads of one name in the same process or in others). Longest blocked_ns first, "
		"if --sort "
		"says nothing else.",
	.row_type = ROW_TYPE(columns, struct wait_row),
	.rows = TABLE_ROWS(waits.rows, waits.row_count),
	.rest = wait_rest,
};

int text_waits(struct renderer *renderer, const struct report *report)
{
	fputs("\nWaits: who was blocked in what, on what, and what ended it\n\n", renderer->out);
	return text_report_table(renderer, report, &report_table_waits);
}
