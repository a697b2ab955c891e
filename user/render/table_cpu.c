// SPDX-License-Identifier: GPL-2.0-only
/* The table of where threads ran. */
#include "render/tables.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/units.h"
#include "render/text.h"

static void place_cell(struct table *table, const struct report *report, const void *item)
{
	const struct cpu_row *row = item;

	if (row->place != PLACE_NONE)
		text_place_cell(table, report->places, row->place);
	else
		table_cell(table, "%s", row->kernel == PLACE_NONE ? "(not known)" : "(only the kernel)");
}

static void kernel_cell(struct table *table, const struct report *report, const void *item)
{
	const struct cpu_row *row = item;

	if (row->kernel == PLACE_NONE)
		table_cell(table, "%s", "");
	else
		text_escaped_cell(table, report->places->items[row->kernel].function ?: "(not known)");
}

static void share_value(struct value *value, const struct report *report, const void *item)
{
	const struct cpu_row *row = item;

	value->number = row->samples;
	value->whole = report->cpu.samples;
}

/* How long the threads ran in all is no estimate. */
static void interval_cell(struct table *table, const struct report *report, const void *item)
{
	const struct estimate *time = &((const struct cpu_row *)item)->time;
	char low[UNITS_SIZE], high[UNITS_SIZE];

	(void)report;
	if (time->low_ns == time->high_ns)
		table_cell(table, "%s", "exact");
	else
		table_cell(table, "%s to %s", units_format_time(time->low_ns, low),
			   units_format_time(time->high_ns, high));
}

static void cpu_rest(const struct report *report, size_t first, void *item)
{
	struct cpu_row *row = item;

	*row = cpu_summary_rest(&report->cpu, first);
}

static const char *cpu_total(const struct report *report, size_t index, void *item)
{
	uint64_t running_ns = report->cpu.running_ns;
	struct cpu_row *row = item;

	if (index)
		return NULL;
	*row = (struct cpu_row){ .samples = report->cpu.samples,
				 .time = { running_ns, running_ns, running_ns } };
	return "total";
}

#define OF(member) FIELD(struct cpu_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_PLACE, 0, "FUNCTION", "function",
	  "where the thread was in user space; null: not known, or it runs only in the kernel", OF(place),
	  .cell = place_cell },
	{ COLUMN_PLACE, 1, "IN THE KERNEL", "kernel", "where it was in the kernel; null: in user space",
	  OF(kernel), .cell = kernel_cell },
	{ COLUMN_COUNT, 1, "SAMPLES", "samples", "that found it there", OF(samples), SUMMED },
	{ COLUMN_SHARE, 0, "SHARE", NULL, "of all samples", .value = share_value, SUMMED },
	{ COLUMN_TIME, 0, "RUNNING", "running_ns", "the samples' share of the running time: an estimate",
	  OF(time.ns), SUMMED },
	{ COLUMN_OBJECT, 2, "95% INTERVAL", NULL, NULL, .cell = interval_cell, SUMMED },
	{ COLUMN_TIME, 0, NULL, "low_ns",
	  "In 95 of 100 recordings the true running time lies between this and the next: Wilson's score "
	  "interval.",
	  OF(time.low_ns) },
	{ COLUMN_TIME, 0, NULL, "high_ns", NULL, OF(time.high_ns) },
};
/* clang-format on */

const struct report_table report_table_cpu = {
	.member = "cpu",
	.help = "Most samples first, if --sort says nothing else.",
	.row_type = ROW_TYPE(columns, struct cpu_row),
	.rows = TABLE_ROWS(cpu.rows, cpu.row_count),
	.rest = cpu_rest,
	.total = cpu_total,
};

int text_cpu(struct renderer *renderer, const struct report *report)
{
	fprintf(renderer->out,
		"\nCPU: the threads' running time by where they were found, %u times a second\n\n",
		report->options.frequency);
	return text_report_table(renderer, report, &report_table_cpu);
}
