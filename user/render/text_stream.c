// SPDX-License-Identifier: GPL-2.0-only
/* Blocking intervals as text, one line each as they end. */
#include "render/text.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"

static const struct table_column columns[] = {
	TABLE_FIGURES("START", 0),        TABLE_FIGURES("BLOCKED", 0), TABLE_FIGURES("DELAY", 1),
	TABLE_WORDS("STATE", 3),          TABLE_WORDS("THREAD", 0),    TABLE_FIGURES("TID", 2),
	TABLE_WORDS("SYSTEM CALL", 1),    TABLE_WORDS("ON", 1),        TABLE_WORDS("FUNCTION", 0),
	TABLE_WORDS("CALLED BY", 1),      TABLE_WORDS("WOKEN BY", 0),  TABLE_WORDS("WAKER'S FUNCTION", 3),
	TABLE_WORDS("WAKER'S CALLER", 4), TABLE_WORDS("CONTEXT", 5),
};

/* For a start: of most lines, so that few of them move the columns. */
static const int first_widths[] = { 11, 8, 8, 5, 15, 7, 15, 24, 28, 24, 23, 28, 24, 7 };
_Static_assert(ARRAY_SIZE(first_widths) == ARRAY_SIZE(columns), "one each");

static void row_cells(struct table *table, const struct report *report, const struct blocking_row *row)
{
	const struct scaler_blocking_interval *interval = row->interval;
	char name[ESCAPE_FACTOR * sizeof(interval->names.comm) + 1];

	text_wait_time_cells(table, report, row);
	table_cell(table, "%s", escape_text(interval->names.comm, sizeof(interval->names.comm), name));
	table_cell(table, "%" PRIu32, interval->names.tid);
	text_wait_call_cells(table, report, row);
	text_wait_path_cells(table, report->places, &row->place);
	text_waker_cells(table, report, row, TEXT_WAKER_THREAD);
}

int text_stream(struct renderer *renderer, const struct report *report)
{
	const struct blocking_report *blocking = &report->blocking;
	struct table table;
	int err;

	if (!renderer->widths.has_titles)
		memcpy(renderer->widths.items, first_widths, sizeof(first_widths));
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < blocking->row_count; i++)
		row_cells(&table, report, &blocking->rows[i]);
	table.width = text_width(report);
	err = table_print_part(&table, &renderer->widths, renderer->out);
	if (report->options.stream == REPORT_STREAM_LAST)
		fputc('\n', renderer->out);
	return err;
}
