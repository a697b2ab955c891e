// SPDX-License-Identifier: GPL-2.0-only
/* The blocking report as text: a table for each thread. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/table.h"

static void row_cells(struct table *table, const struct report *report, const struct blocking_row *row)
{
	text_wait_time_cells(table, report, row);
	text_quota_cell(table, row->quota_ns);
	text_wait_call_cells(table, report, row);
	text_wait_path_cells(table, report->places, &row->place);
	text_waker_cells(table, report, row, TEXT_WAKER_THREAD);
}

/* Whether a row is among the longest of a thread: those that are blocked as long as, or longer than, least_ns. */
static int compare_longest(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a < *b) - (*a > *b);
}

/* The time from which on as many rows as are to be shown are as long; *ties of those that are just that long are. */
static int find_least(const struct blocking_row *rows, size_t count, size_t shown, uint64_t *least_ns,
		      size_t *ties)
{
	uint64_t *times_ns = calloc(count + 1, sizeof(*times_ns));

	if (!times_ns)
		return -1;
	for (size_t i = 0; i < count; i++)
		times_ns[i] = rows[i].blocked_ns;
	qsort(times_ns, count, sizeof(*times_ns), compare_longest);
	*least_ns = times_ns[shown - 1];
	for (*ties = 0; *ties < shown && times_ns[shown - 1 - *ties] == *least_ns; ++*ties)
		;
	free(times_ns);
	return 0;
}

/* Its longest intervals, in the order of time. */
static int thread_rows(struct table *table, const struct report *report, const struct blocking_thread *thread)
{
	const struct blocking_row *rows = report->blocking.rows + thread->first;
	size_t shown = text_rows_shown(report, thread->count), ties;
	uint64_t least_ns, rest_ns = 0, rest_delay_ns = 0, rest_quota_ns = 0;
	char others[TEXT_OTHERS_SIZE];

	if (find_least(rows, thread->count, shown, &least_ns, &ties))
		return -1;
	for (size_t i = 0; i < thread->count; i++) {
		if (rows[i].blocked_ns > least_ns || (rows[i].blocked_ns == least_ns && ties)) {
			ties -= rows[i].blocked_ns == least_ns;
			row_cells(table, report, &rows[i]);
		} else {
			rest_ns += rows[i].blocked_ns;
			rest_delay_ns += rows[i].delay_ns;
			rest_quota_ns += rows[i].quota_ns;
		}
	}
	if (shown == thread->count)
		return 0;
	table_cell(table, "%s", text_others(thread->count - shown, others));
	text_bound_cell(table, rest_ns, false);
	text_bound_cell(table, rest_delay_ns, false);
	table_cell(table, "%s", "");
	text_quota_cell(table, rest_quota_ns);
	table_end_row(table);
	return 0;
}

static int text_blocking_thread(struct renderer *renderer, const struct report *report,
				const struct blocking_thread *thread)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("START", 0),
		TABLE_FIGURES("BLOCKED", 0),
		TABLE_FIGURES("DELAY", 1),
		TABLE_WORDS("STATE", 3),
		TABLE_FIGURES("QUOTA", 3),
		TABLE_WORDS("SYSTEM CALL", 2),
		TABLE_WORDS("ON", 1),
		TABLE_WORDS("FUNCTION", 0),
		TABLE_WORDS("CALLED BY", 1),
		TABLE_WORDS("WOKEN BY", 0),
		TABLE_WORDS("WAKER'S FUNCTION", 3),
		TABLE_WORDS("WAKER'S CALLER", 4),
		TABLE_WORDS("CONTEXT", 5),
	};
	const struct scaler_task_names *names = blocking_thread_names(&report->blocking, thread);
	char name[ESCAPE_FACTOR * sizeof(names->comm) + 1], text[UNITS_SIZE];
	struct table table;

	fprintf(renderer->out, "\nBlocking report for %s [%" PRIu32 "]",
		escape_text(names->comm, sizeof(names->comm), name), names->tid);
	if (names->tgid != names->tid)
		fprintf(renderer->out, " of process %" PRIu32, names->tgid);
	fprintf(renderer->out, ": %zu interval%s, %s blocked", thread->count, thread->count == 1 ? "" : "s",
		units_format_time(thread->blocked_ns, text));
	fprintf(renderer->out, ", %s then waiting for a CPU\n\n", units_format_time(thread->delay_ns, text));
	table_begin(&table, columns, ARRAY_SIZE(columns));
	table.failed |= thread_rows(&table, report, thread) < 0;
	return text_table_print(renderer, report, &table);
}

static void print_rest(FILE *out, const struct blocking_report *blocking, size_t first, size_t end)
{
	uint64_t blocked_ns = 0;
	size_t intervals = 0;
	char text[UNITS_SIZE];

	for (size_t i = first; i < end; i++) {
		blocked_ns += blocking->threads[i].blocked_ns;
		intervals += blocking->threads[i].count;
	}
	fprintf(out, "\n%zu other threads: %zu intervals, %s blocked\n", end - first, intervals,
		units_format_time(blocked_ns, text));
}

/* What they were in all the time tells no times. */
static int text_idle_threads(struct renderer *renderer, const struct report *report, size_t first)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("THREAD", 0),   TABLE_FIGURES("PID", 3),       TABLE_FIGURES("TID", 2),
		TABLE_WORDS("STATE", 3),    TABLE_WORDS("SYSTEM CALL", 2), TABLE_WORDS("ON", 1),
		TABLE_WORDS("FUNCTION", 0), TABLE_WORDS("CALLED BY", 1),
	};
	const struct blocking_report *blocking = &report->blocking;
	size_t shown = text_rows_shown(report, blocking->idle_count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fprintf(renderer->out, "\nBlocked all the time: %zu thread%s\n\n", blocking->idle_count,
		blocking->idle_count == 1 ? "" : "s");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = first; i < first + shown; i++) {
		const struct blocking_row *row = &blocking->rows[blocking->threads[i].first];
		const struct scaler_task_names *names = &row->interval->names;
		char name[ESCAPE_FACTOR * sizeof(names->comm) + 1];

		table_cell(&table, "%s", escape_text(names->comm, sizeof(names->comm), name));
		table_cell(&table, "%" PRIu32, names->tgid);
		table_cell(&table, "%" PRIu32, names->tid);
		table_cell(&table, "%c", blocking_state_letter(row->interval->state));
		text_wait_call_cells(&table, report, row);
		text_wait_path_cells(&table, report->places, &row->place);
	}
	if (shown < blocking->idle_count) {
		table_cell(&table, "%s", text_others(blocking->idle_count - shown, others));
		for (size_t i = 1; i < ARRAY_SIZE(columns); i++)
			table_cell(&table, "%s", "");
	}
	return text_table_print(renderer, report, &table);
}

int text_blocking(struct renderer *renderer, const struct report *report)
{
	const struct blocking_report *blocking = &report->blocking;
	size_t awake = blocking->thread_count - blocking->idle_count;
	size_t shown = text_rows_shown(report, awake);
	int err = 0;

	if (!blocking->thread_count)
		fputs("\nNo thread was blocked.\n", renderer->out);
	for (size_t i = 0; i < shown && !err; i++)
		err = text_blocking_thread(renderer, report, &blocking->threads[i]);
	if (!err && shown < awake)
		print_rest(renderer->out, blocking, shown, awake);
	if (!err && blocking->idle_count)
		err = text_idle_threads(renderer, report, awake);
	return err;
}
