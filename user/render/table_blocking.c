// SPDX-License-Identifier: GPL-2.0-only
/* Blocking intervals, one by one: a table for each thread, or a line for each as it ends. */
#include "render/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/text.h"
#include "render/wait_columns.h"

static const struct scaler_blocking_interval *interval_of(const void *item)
{
	return ((const struct blocking_row *)item)->interval;
}

static const char *name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	return text_comm(interval_of(item)->names.comm, buffer);
}

static uint64_t pid_number(const void *item)
{
	return interval_of(item)->names.tgid;
}

static uint64_t tid_number(const void *item)
{
	return interval_of(item)->names.tid;
}

static uint64_t start_number(const void *item)
{
	return interval_of(item)->start_ns;
}

static uint64_t woken_number(const void *item)
{
	return interval_of(item)->woken_ns;
}

static uint64_t end_number(const void *item)
{
	return interval_of(item)->end_ns;
}

static const char *state_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	snprintf(buffer, VALUE_TEXT_SIZE, "%c", blocking_state_letter(interval_of(item)->state));
	return buffer;
}

static const char *blocked_mark(const void *item)
{
	return ((const struct blocking_row *)item)->is_lower_bound ? ">=" : "";
}

/* A row that is a sum has no interval, and its delays are over. */
static const char *delay_mark(const void *item)
{
	const struct scaler_blocking_interval *interval = interval_of(item);

	return interval && interval->woken_ns && !interval->end_ns ? ">=" : "";
}

static json_t *stack_object(const struct report *report, const void *item)
{
	(void)report;
	return json_stack_array(&((const struct blocking_row *)item)->place.frames);
}

#define OF(member) FIELD(struct blocking_row, member)

/* A column in a line or two. */
/* clang-format off */
#define START_COLUMN                                                                                         \
	{ COLUMN_MOMENT, 0, "START", "start_ns",                                                             \
	  "when the thread was switched out in a sleeping state, or found so", .number = start_number }

#define TIME_COLUMNS                                                                                         \
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns",                                                           \
	  "from the beginning to the wakeup, within the recording", OF(blocked_ns), .mark = blocked_mark,    \
	  SUMMED },                                                                                          \
	{ COLUMN_TIME, 1, "DELAY", "delay_ns",                                                               \
	  "from the wakeup to the end, within the recording: it waited for a CPU", OF(delay_ns),             \
	  .mark = delay_mark, SUMMED }

#define QUOTA_COLUMN                                                                                         \
	{ COLUMN_TIME, 3, "QUOTA", "quota_ns",                                                               \
	  "of that, kept from a CPU because its cgroup had used up its CPU quota (cpu.max); at least",       \
	  OF(quota_ns), .hides_zero = true, SUMMED }

#define STATE_COLUMN                                                                                         \
	{ COLUMN_WORD, 3, "STATE", "state",                                                                  \
	  "S: can be interrupted; D: cannot; I: idle kernel thread; T, t: stopped, traced; P: parked; ?: "   \
	  "not known", .text = state_text, .type = "sleep_state" }

#define THREAD_COLUMN                                                                                        \
	{ COLUMN_NAME, 0, "THREAD", "name", "as it was then", .text = name_text }
#define PID_COLUMN                                                                                           \
	{ COLUMN_COUNT, 3, "PID", "pid", "of the process", .number = pid_number }
#define TID_COLUMN                                                                                           \
	{ COLUMN_COUNT, 2, "TID", "tid", "of the thread", .number = tid_number }

/* Of the intervals of one thread. */
static const struct column thread_columns[] = {
	START_COLUMN, TIME_COLUMNS,       STATE_COLUMN,
	QUOTA_COLUMN, WAIT_PLACE_COLUMNS, WAKER_COLUMNS(text_waker_cell),
};

/* Of threads that were in one all the time, which tells no times. */
static const struct column idle_columns[] = {
	THREAD_COLUMN, PID_COLUMN, TID_COLUMN, STATE_COLUMN, WAIT_PLACE_COLUMNS,
};

/* Of a stream. */
static const struct column stream_columns[] = {
	START_COLUMN,
	TIME_COLUMNS,
	STATE_COLUMN,
	THREAD_COLUMN,
	TID_COLUMN,
	WAIT_PLACE_COLUMNS,
	WAKER_COLUMNS(text_waker_cell),
};

/* Of JSON. */
static const struct column columns[] = {
	THREAD_COLUMN,
	PID_COLUMN,
	TID_COLUMN,
	START_COLUMN,
	{ COLUMN_MOMENT, 0, NULL, "woken_ns", "null: no wakeup was seen", .number = woken_number },
	{ COLUMN_MOMENT, 0, NULL, "end_ns",
	  "when it was switched in again; null: it was not before the recording ended; such an interval is "
	  "in each of the reports of --interval",
	  .number = end_number },
	TIME_COLUMNS,
	QUOTA_COLUMN,
	{ COLUMN_FLAG, 0, NULL, "is_lower_bound",
	  "of blocked_ns: the interval began before the recording, or was not over at its end",
	  OF(is_lower_bound) },
	{ COLUMN_FLAG, 0, NULL, "is_all_the_time",
	  "the thread was found asleep and was not woken: the intervals' sums do not have it",
	  OF(is_all_the_time) },
	STATE_COLUMN,
	WAIT_PLACE_COLUMNS,
	{ COLUMN_OBJECT, 0, NULL, "stack",
	  "component:function, or component+0xOFFSET, from the innermost frame on, as far as --depth goes",
	  .object = stack_object, .type = "stack" },
	WAKER_COLUMNS(text_waker_cell),
	{ COLUMN_OBJECT, 0, NULL, "wakeup", "null: none was seen", .object = json_wakeup_object,
	  .type = "wakeup" },
};
/* clang-format on */

static const struct row_type thread_type = ROW_TYPE(thread_columns, struct blocking_row);
static const struct row_type idle_type = ROW_TYPE(idle_columns, struct blocking_row);
static const struct row_type stream_type = ROW_TYPE(stream_columns, struct blocking_row);

const struct report_table report_table_blocking = {
	.member = "blocking",
	.help = "Every blocking interval: by thread, and in the order of time. If none is filtered, the sum "
		"of a thread's "
		"blocked_ns is that of \"threads\". Times are CLOCK_MONOTONIC. --live prints a line of each.",
	.row_type = ROW_TYPE(columns, struct blocking_row),
	.rows = TABLE_ROWS(blocking.rows, blocking.row_count),
};

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
	struct blocking_row rest = { 0 };
	uint64_t least_ns;
	char others[TEXT_OTHERS_SIZE];

	if (find_least(rows, thread->count, shown, &least_ns, &ties))
		return -1;
	for (size_t i = 0; i < thread->count; i++) {
		if (rows[i].blocked_ns > least_ns || (rows[i].blocked_ns == least_ns && ties)) {
			ties -= rows[i].blocked_ns == least_ns;
			row_type_cells(&thread_type, table, report, &rows[i], NULL);
		} else {
			rest.blocked_ns += rows[i].blocked_ns;
			rest.delay_ns += rows[i].delay_ns;
			rest.quota_ns += rows[i].quota_ns;
		}
	}
	if (shown < thread->count)
		row_type_cells(&thread_type, table, report, &rest,
			       text_others(thread->count - shown, others));
	return 0;
}

static int text_blocking_thread(struct renderer *renderer, const struct report *report,
				const struct blocking_thread *thread)
{
	const struct scaler_task_names *names = blocking_thread_names(&report->blocking, thread);
	char name[ESCAPE_FACTOR * sizeof(names->comm) + 1], text[UNITS_SIZE];
	struct table_column titles[TABLE_COLUMNS_MAX];
	struct table table;

	fprintf(renderer->out, "\nBlocking report for %s [%" PRIu32 "]",
		escape_text(names->comm, sizeof(names->comm), name), names->tid);
	if (names->tgid != names->tid)
		fprintf(renderer->out, " of process %" PRIu32, names->tgid);
	fprintf(renderer->out, ": %zu interval%s, %s blocked", thread->count, thread->count == 1 ? "" : "s",
		units_format_time(thread->blocked_ns, text));
	fprintf(renderer->out, ", %s then waiting for a CPU\n\n", units_format_time(thread->delay_ns, text));
	table_begin(&table, titles, row_type_titles(&thread_type, titles));
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

static int text_idle_threads(struct renderer *renderer, const struct report *report, size_t first)
{
	const struct blocking_report *blocking = &report->blocking;
	size_t shown = text_rows_shown(report, blocking->idle_count);
	struct table_column titles[TABLE_COLUMNS_MAX];
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fprintf(renderer->out, "\nBlocked all the time: %zu thread%s\n\n", blocking->idle_count,
		blocking->idle_count == 1 ? "" : "s");
	table_begin(&table, titles, row_type_titles(&idle_type, titles));
	for (size_t i = first; i < first + shown; i++)
		row_type_cells(&idle_type, &table, report, &blocking->rows[blocking->threads[i].first], NULL);
	if (shown < blocking->idle_count) {
		table_cell(&table, "%s", text_others(blocking->idle_count - shown, others));
		table_end_row(&table);
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

/* How wide a stream's columns are for a start: as most lines, so that few of them move the columns. */
static const int stream_widths[] = { 11, 8, 8, 5, 15, 7, 15, 24, 28, 24, 23, 28, 24, 7 };

int text_stream(struct renderer *renderer, const struct report *report)
{
	const struct blocking_report *blocking = &report->blocking;
	struct table_column titles[TABLE_COLUMNS_MAX];
	struct table table;
	int err;

	if (!renderer->widths.has_titles)
		memcpy(renderer->widths.items, stream_widths, sizeof(stream_widths));
	table_begin(&table, titles, row_type_titles(&stream_type, titles));
	for (size_t i = 0; i < blocking->row_count; i++)
		row_type_cells(&stream_type, &table, report, &blocking->rows[i], NULL);
	table.width = text_width(report);
	err = table_print_part(&table, &renderer->widths, renderer->out);
	if (report->options.stream == REPORT_STREAM_LAST)
		fputc('\n', renderer->out);
	return err;
}
