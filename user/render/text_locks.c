// SPDX-License-Identifier: GPL-2.0-only
/* The table of locks as text. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/table.h"

static void resource_cell(struct table *table, const struct report *report, const struct lock_row *row)
{
	char *name = text_format_resource(report, &row->resource);

	table->failed |= !name;
	table_cell(table, "%s", name ?: "");
	free(name);
}

static void pid_cell(struct table *table, const struct lock_row *row)
{
	if (row->process_count == 1)
		table_cell(table, "%" PRIu32, row->names->tgid);
	else
		table_cell(table, "(%zu)", row->process_count);
}

static void figures_cells(struct table *table, const struct lock_row *row)
{
	const struct wait_figures *figures = &row->figures;

	table_cell(table, "%zu", row->thread_count);
	table_cell(table, "%zu", figures->count);
	text_bound_cell(table, figures->blocked_ns, figures->is_lower_bound);
	text_bound_cell(table, row->max_ns, figures->is_lower_bound);
	table_cell(table, "%zu", row->convoy.most_waiting);
	text_bound_cell(table, row->convoy.duration_ns, figures->is_lower_bound);
	if (row->idle_count)
		table_cell(table, "%zu", row->idle_count);
	else
		table_cell(table, "%s", "");
}

/* Who was waited for the longest, and for how much of the waiting that tasks have ended. */
static void waker_cells(struct table *table, const struct report *report, const struct lock_row *row)
{
	const struct lock_waker *wakers = report->locks.wakers + row->first_waker;
	char name[ESCAPE_FACTOR * sizeof(wakers->names->comm) + 1], text[UNITS_SIZE];
	uint64_t waiting_ns = 0;

	if (!row->waker_count) {
		table_cell(table, "%s", "");
		table_cell(table, "%s", "");
		return;
	}
	for (size_t i = 0; i < row->waker_count; i++)
		waiting_ns += wakers[i].waiting_ns;
	escape_text(wakers->names->comm, sizeof(wakers->names->comm), name);
	if (row->process_count == 1 && wakers->names->tgid == row->names->tgid)
		table_cell(table, "%s", name);
	else
		table_cell(table, "%s of %" PRIu32, name, wakers->names->tgid);
	table_cell(table, "%s", units_format_share(wakers->waiting_ns, waiting_ns, text));
}

static void holder_cell(struct table *table, const struct scaler_thread *holder)
{
	char name[ESCAPE_FACTOR * sizeof(holder->comm) + 1];

	if (holder)
		table_cell(table, "%s [%" PRIu32 "]", escape_text(holder->comm, sizeof(holder->comm), name),
			   holder->tid);
	else
		table_cell(table, "%s", "");
}

/* Waits on several are not one time: there is no sum. */
static void others_cells(struct table *table, const struct lock_row *rows, size_t count, size_t columns)
{
	struct wait_figures rest = { 0 };
	char others[TEXT_OTHERS_SIZE];

	for (size_t i = 0; i < count; i++)
		wait_figures_sum(&rest, &rows[i].figures);
	table_cell(table, "%s", text_others(count, others));
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	table_cell(table, "%zu", rest.count);
	text_bound_cell(table, rest.blocked_ns, rest.is_lower_bound);
	for (size_t i = 5; i < columns; i++)
		table_cell(table, "%s", "");
}

int text_locks(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("FUTEX", 0),     TABLE_FIGURES("PID", 3),       TABLE_FIGURES("THREADS", 1),
		TABLE_FIGURES("WAITS", 0),   TABLE_FIGURES("BLOCKED", 0),   TABLE_FIGURES("MAX", 1),
		TABLE_FIGURES("AT ONCE", 2), TABLE_FIGURES("CONVOY", 2),    TABLE_FIGURES("ASLEEP", 4),
		TABLE_WORDS("FUNCTION", 1),  TABLE_WORDS("CALLED BY", 2),   TABLE_WORDS("WAITED FOR", 0),
		TABLE_FIGURES("SHARE", 0),   TABLE_WORDS("HELD NOW BY", 3),
	};
	const struct lock_summary *locks = &report->locks;
	size_t count = locks->row_count, shown = text_rows_shown(report, count);
	struct table table;

	fputs("\nLocks: what each futex was to those that waited on it\n\n", renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct lock_row *row = &locks->rows[i];

		resource_cell(&table, report, row);
		pid_cell(&table, row);
		figures_cells(&table, row);
		text_call_path_cells(&table, report->places, &row->path);
		waker_cells(&table, report, row);
		holder_cell(&table, row->holder);
	}
	if (shown < count)
		others_cells(&table, locks->rows + shown, count - shown, ARRAY_SIZE(columns));
	return text_table_print(renderer, report, &table);
}
