// SPDX-License-Identifier: GPL-2.0-only
/* The table of scheduler latencies. */
#include "render/tables.h"

#include "base/array.h"
#include "render/text.h"

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct latency_row *row = item;

	(void)buffer;
	return row->thread->comm;
}

static uint64_t pid_number(const void *item)
{
	const struct latency_row *row = item;

	return row->thread->pid;
}

static uint64_t tid_number(const void *item)
{
	const struct latency_row *row = item;

	return row->thread->tid;
}

static bool has_delays(const void *item)
{
	const struct latency_row *row = item;

	return row->figures.delays;
}

static uint64_t average_number(const void *item)
{
	const struct latency_row *row = item;

	return latency_average_ns(&row->figures);
}

static bool has_longest(const void *item)
{
	const struct latency_row *row = item;

	return row->figures.longest.duration_ns;
}

static const char *longest_mark(const void *item)
{
	const struct latency_row *row = item;

	return row->figures.is_lower_bound ? ">=" : "";
}

static void latency_rest(const struct report *report, size_t first, void *item)
{
	struct latency_row *row = item;

	*row = (struct latency_row){ .figures = latency_summary_rest(&report->latency, first) };
}

#define OF(member) FIELD(struct latency_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_NAME, 0, "THREAD", "name", "the last one", .text = name_text },
	{ COLUMN_COUNT, 2, "PID", "pid", "of the process", .number = pid_number },
	{ COLUMN_COUNT, 1, "TID", "tid", "of the thread", .number = tid_number },
	{ COLUMN_TIME, 0, "RUNNING", "running_ns", "on a CPU", OF(figures.running_ns), SUMMED },
	{ COLUMN_COUNT, 2, "SWITCHES", "switches", "out of a CPU, voluntary or not", OF(figures.switches),
	  SUMMED },
	{ COLUMN_COUNT, 0, "DELAYS", "delays",
	  "one that is not over when the recording ends counts, and with --interval in both reports",
	  OF(figures.delays), SUMMED },
	{ COLUMN_TIME, 0, "RUNNABLE", "delay_ns", "their sum: how long the thread was runnable",
	  OF(figures.delay_ns), SUMMED },
	{ COLUMN_TIME, 1, "QUOTA", "quota_ns",
	  "of that, kept from a CPU because its cgroup had used up its CPU quota (cpu.max); at least",
	  OF(figures.quota_ns), .hides_zero = true, SUMMED },
	{ COLUMN_TIME, 1, "AVERAGE", "average_ns", "of a delay", .number = average_number,
	  .is_there = has_delays, SUMMED },
	{ COLUMN_TIME, 1, "MAX", "max_ns",
	  "the longest delay; with --interval what of it is in an earlier one is included",
	  OF(figures.longest.duration_ns), .mark = longest_mark, .is_there = has_longest, SUMMED },
	{ COLUMN_MOMENT, 3, "MAX START", "max_start_ns", "when that began", OF(figures.longest.start_ns),
	  .is_there = has_longest, SUMMED },
	{ COLUMN_FLAG, 0, NULL, "is_lower_bound", "the longest delay is not over",
	  OF(figures.is_lower_bound) },
};
/* clang-format on */

const struct report_table report_table_latency = {
	.member = "latency",
	.help = "How long every traced thread waited for a CPU once it could run. A delay lasts from a "
		"wakeup, from the "
		"thread's creation or from being put off a CPU to the switch-in. Longest delay first, if "
		"--sort says "
		"nothing else.",
	.row_type = ROW_TYPE(columns, struct latency_row),
	.rows = TABLE_ROWS(latency.rows, latency.row_count),
	.rest = latency_rest,
};

int text_latency(struct renderer *renderer, const struct report *report)
{
	fputs("\nScheduler latency: how long threads that could run waited for a CPU\n\n", renderer->out);
	return text_report_table(renderer, report, &report_table_latency);
}
