// SPDX-License-Identifier: GPL-2.0-only
/* The table of components. */
#include "render/tables.h"

#include "base/array.h"
#include "render/json_figures.h"
#include "render/text.h"

/* The one row without a component for which there is no reason. */
static bool is_outside(const struct component_row *row)
{
	return !row->component && !row->cut;
}

static void name_cell(struct table *table, const struct report *report, const void *item)
{
	const struct component_row *row = item;

	(void)report;
	if (row->component)
		text_escaped_cell(table, row->component->name);
	else
		table_cell(table, "(cut: %s)", row->cut);
}

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct component_row *row = item;

	(void)buffer;
	return row->component ? row->component->name : NULL;
}

static const char *cut_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct component_row *row = item;

	(void)buffer;
	return row->cut;
}

static const char *path_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct component_row *row = item;

	(void)buffer;
	return row->component ? row->component->path : NULL;
}

static const char *build_id_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct component_row *row = item;

	(void)buffer;
	return row->component && *row->component->build_id ? row->component->build_id : NULL;
}

static const char *problem_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct component_row *row = item;

	(void)buffer;
	return row->component ? row->component->problem : NULL;
}

static const char *calls_mark(const void *item)
{
	const struct component_row *row = item;

	return text_sampled_mark(&row->figures.calls_sampled);
}

static void share_value(struct value *value, const struct report *report, const void *item)
{
	const struct component_row *row = item;

	value->number = row->figures.total_ns;
	value->whole = report->components.total.total_ns;
}

static void interval_cell(struct table *table, const struct report *report, const void *item)
{
	const struct component_row *row = item;

	text_interval_cell(table, report, &row->figures);
}

static void categories_cell(struct table *table, const struct report *report, const void *item)
{
	const struct time_figures *figures = &((const struct component_row *)item)->figures;
	uint64_t blocked_ns[CATEGORY_COUNT];

	(void)report;
	for (int category = 0; category < CATEGORY_COUNT; category++)
		blocked_ns[category] = figures->categories[category].blocked_ns;
	text_categories_cell(table, blocked_ns, figures->time_ns[SCALER_BLOCKED]);
}

static json_t *categories_object(const struct report *report, const void *item)
{
	(void)report;
	return json_blocked(&((const struct component_row *)item)->figures);
}

static json_t *sampled_object(const struct report *report, const void *item)
{
	const struct component_row *row = item;

	return is_outside(row) ? json_null() : json_sampled(&report->outside, &row->figures);
}

static void component_rest(const struct report *report, size_t first, void *item)
{
	struct component_row *row = item;

	*row = (struct component_row){ .figures = component_summary_rest(&report->components, first) };
}

static const char *component_total(const struct report *report, size_t index, void *item)
{
	const struct component_summary *components = &report->components;
	struct component_row *row = item;

	if (index > 1)
		return NULL;
	*row = (struct component_row){ .figures = index ? components->total : components->outside };
	row->figures.samples = 0; /* both are exact */
	return index ? "total" : "(outside of calls)";
}

#define OF(member) FIELD(struct component_row, member)

/* A column in a line or two. */
/* clang-format off */
static const struct column columns[] = {
	{ COLUMN_NAME, 0, "COMPONENT", "name",
	  "of the file, without its directory; [vdso]; [kernel]: code of the kernel that ran for no code in "
	  "user space; [jit]: code without a file; [uprobes]: what the kernel maps into a program for "
	  "probes; [tracer]: what the tracer itself took of the threads' running time, by samples; "
	  "[unknown]; null: not known, see cut, or outside of system calls",
	  .text = name_text, .cell = name_cell },
	{ COLUMN_WORD, 0, NULL, "cut",
	  "without a name: why it is not known who called, because the stack is cut; null: it is, or outside "
	  "of system calls",
	  .text = cut_text },
	{ COLUMN_NAME, 0, NULL, "path", "in the mount namespace of a process that uses it",
	  .text = path_text },
	{ COLUMN_NAME, 0, NULL, "build_id", NULL, .text = build_id_text },
	{ COLUMN_WORD, 0, NULL, "symbols_missing", "why no function of it has a name", .text = problem_text },
	{ COLUMN_SHARE, 0, "SHARE", NULL, "of the threads' lives", .value = share_value, SUMMED },
	{ COLUMN_TIME, 0, NULL, "total_ns", NULL, OF(figures.total_ns) },
	{ COLUMN_TIME, 0, "RUNNING", "running_ns", NULL, OF(figures.time_ns[SCALER_RUNNING]), SUMMED },
	{ COLUMN_OBJECT, 3, "95% INTERVAL", NULL, "of the running time, where it is an estimate in part",
	  .cell = interval_cell, SUMMED },
	{ COLUMN_TIME, 0, "RUNNABLE", "runnable_ns", NULL, OF(figures.time_ns[SCALER_RUNNABLE]), SUMMED },
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns", NULL, OF(figures.time_ns[SCALER_BLOCKED]), SUMMED },
	{ COLUMN_COUNT, 1, "CALLS", "calls", "system calls, partial ones included", OF(figures.calls),
	  .mark = calls_mark, SUMMED },
	{ COLUMN_OBJECT, 2, "BLOCKED IN", "blocked_ns_by_category",
	  "by the calls' category, where it is not 0", .cell = categories_cell, .object = categories_object,
	  .type = "figures_by_name", SUMMED },
	{ COLUMN_OBJECT, 0, NULL, "sampled", NULL, .object = sampled_object, .type = "sampled" },
};
/* clang-format on */

const struct report_table report_table_components = {
	.member = "components",
	.help = "Where the threads' time went: in the system calls that are attributed to each component as "
		"component_of "
		"says, and running outside of them in code that is attributed to it in the same way; longest "
		"first, "
		"and last, without a name, what else is outside of system calls. total_ns = running_ns + "
		"runnable_ns "
		"+ blocked_ns; all rows add up to the threads' lives.",
	.row_type = ROW_TYPE(columns, struct component_row),
	.rows = TABLE_ROWS(components.rows, components.row_count),
	.rest = component_rest,
	.total = component_total,
	.json_totals = 1,
};

int text_components(struct renderer *renderer, const struct report *report)
{
	fprintf(renderer->out, "\nComponents: the threads' time by who %s the system call they were in%s\n\n",
		report->options.component_of == COMPONENT_OF_CALLING ? "called for" : "issued",
		report->outside.samples ? ", or was running in none" : "");
	return text_report_table(renderer, report, &report_table_components);
}
