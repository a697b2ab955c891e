// SPDX-License-Identifier: GPL-2.0-only
/* The table of system calls by library function, as text. */
#include "render/text.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/units.h"

#define CALLS_SHOWN 5

static void figures_cells(struct table *table, const struct time_figures *figures, uint64_t self)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s%" PRIu64, text_sampled_mark(&figures->calls_sampled), figures->calls);
	table_cell(table, "%" PRIu64, self);
	table_cell(table, "%" PRIu64, figures->errors);
	table_cell(table, "%s", units_format_time(figures->total_ns, text));
	table_cell(table, "%s", units_format_time(figures->time_ns[SCALER_BLOCKED], text));
}

/* Of what is no single call. */
static void categories_cell(struct table *table, const struct time_figures *figures)
{
	uint64_t total_ns[CATEGORY_COUNT];

	for (int category = 0; category < CATEGORY_COUNT; category++)
		total_ns[category] = figures->categories[category].total_ns;
	text_categories_cell(table, total_ns, figures->total_ns);
}

static void call_cells(struct table *table, const struct library_syscall *call)
{
	const char *descriptor = syscall_descriptor_name(call->descriptor);
	char name[SYSCALL_NAME_SIZE];

	table_cell(table, "%s", "");
	table_cell(table, "  %s%s%s", syscall_format(call->abi, call->number, name),
		   *descriptor ? " on " : "", descriptor);
	figures_cells(table, &call->figures, call->self.calls);
	table_cell(table, "%s",
		   syscall_category_name(syscall_category(call->abi, call->number, call->descriptor)));
}

static void function_cells(struct table *table, const struct library_functions *functions,
			   const struct library_syscalls_row *row)
{
	const struct library_function *function = &functions->items[row->function - 1];
	size_t shown = row->call_count <= CALLS_SHOWN + 1 ? row->call_count : CALLS_SHOWN;

	text_escaped_cell(table, function->library);
	text_library_function_cell(table, function);
	figures_cells(table, &row->figures, row->self.calls);
	categories_cell(table, &row->figures);
	for (size_t i = 0; i < shown; i++)
		call_cells(table, &row->calls[i]);
	if (shown < row->call_count) {
		struct time_figures rest = { 0 }, rest_self = { 0 };
		char others[TEXT_OTHERS_SIZE];

		for (size_t i = shown; i < row->call_count; i++) {
			time_figures_add(&rest, &row->calls[i].figures);
			time_figures_add(&rest_self, &row->calls[i].self);
		}
		table_cell(table, "%s", "");
		table_cell(table, "  %s", text_others(row->call_count - shown, others));
		figures_cells(table, &rest, rest_self.calls);
		categories_cell(table, &rest);
	}
}

static void sum_cells(struct table *table, const char *name, const struct time_figures *figures)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	figures_cells(table, figures, figures->calls);
	categories_cell(table, figures);
}

int text_library_syscalls(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("LIBRARY", 0),   TABLE_WORDS("FUNCTION, SYSTEM CALL", 0),
		TABLE_FIGURES("CALLS", 0),   TABLE_FIGURES("SELF", 2),
		TABLE_FIGURES("ERRORS", 2),  TABLE_FIGURES("TOTAL", 0),
		TABLE_FIGURES("BLOCKED", 0), TABLE_WORDS("TIME IN", 3),
	};
	const struct library_syscalls *syscalls = &report->library_syscalls;
	size_t shown = text_rows_shown(report, syscalls->row_count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fputs("\nSystem calls by library function: those made in its timed calls; self: not in calls "
	      "within\n\n",
	      renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		function_cells(&table, report->library.functions, &syscalls->rows[i]);
	if (shown < syscalls->row_count) {
		/* They may be within one another: none is to count twice. */
		struct time_figures rest = { 0 };

		for (size_t i = shown; i < syscalls->row_count; i++)
			time_figures_add(&rest, &syscalls->rows[i].self);
		sum_cells(&table, text_others(syscalls->row_count - shown, others), &rest);
	}
	sum_cells(&table, "(in none of them)", &syscalls->outside);
	sum_cells(&table, "total", &syscalls->total);
	return text_table_print(renderer, report, &table);
}
