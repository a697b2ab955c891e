// SPDX-License-Identifier: GPL-2.0-only
/* The table of locks. */
#include "render/tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/json_resource.h"
#include "render/text.h"

static void futex_cell(struct table *table, const struct report *report, const void *item)
{
	char *name = text_format_resource(report, &((const struct lock_row *)item)->resource);

	table->failed |= !name;
	table_cell(table, "%s", name ?: "");
	free(name);
}

static json_t *futex_object(const struct report *report, const void *item)
{
	return json_resource(report, &((const struct lock_row *)item)->resource);
}

static bool has_one_process(const void *item)
{
	const struct lock_row *row = item;

	return row->process_count == 1;
}

static uint64_t pid_number(const void *item)
{
	const struct lock_row *row = item;

	return row->names->tgid;
}

static void pid_cell(struct table *table, const struct report *report, const void *item)
{
	const struct lock_row *row = item;

	(void)report;
	if (has_one_process(item))
		table_cell(table, "%" PRIu32, row->names->tgid);
	else
		table_cell(table, "(%zu)", row->process_count);
}

static const char *bound_mark(const void *item)
{
	const struct lock_row *row = item;

	return row->figures.is_lower_bound ? ">=" : "";
}

static void function_cell(struct table *table, const struct report *report, const void *item)
{
	text_call_function_cell(table, report->places, &((const struct lock_row *)item)->path);
}

/* Who was waited for the longest. */
static void waker_cell(struct table *table, const struct report *report, const void *item)
{
	const struct lock_row *row = item;
	const struct scaler_task_names *names;
	char name[ESCAPE_FACTOR * SCALER_COMM_SIZE + 1];

	if (!row->waker_count) {
		table_cell(table, "%s", "");
		return;
	}
	names = report->locks.wakers[row->first_waker].names;
	escape_text(names->comm, sizeof(names->comm), name);
	if (has_one_process(item) && names->tgid == row->names->tgid)
		table_cell(table, "%s", name);
	else
		table_cell(table, "%s of %" PRIu32, name, names->tgid);
}

static void waker_share_value(struct value *value, const struct report *report, const void *item)
{
	const struct lock_row *row = item;
	const struct lock_waker *wakers = report->locks.wakers + row->first_waker;

	value->is_none = !row->waker_count;
	for (size_t i = 0; i < row->waker_count; i++)
		value->whole += wakers[i].waiting_ns;
	if (row->waker_count)
		value->number = wakers->waiting_ns;
}

static void holder_cell(struct table *table, const struct report *report, const void *item)
{
	const struct scaler_thread *holder = ((const struct lock_row *)item)->holder;
	char name[ESCAPE_FACTOR * SCALER_COMM_SIZE + 1];

	(void)report;
	if (holder)
		table_cell(table, "%s [%" PRIu32 "]", escape_text(holder->comm, sizeof(holder->comm), name),
			   holder->tid);
	else
		table_cell(table, "%s", "");
}

static json_t *holder_object(const struct report *report, const void *item)
{
	(void)report;
	return json_thread(((const struct lock_row *)item)->holder);
}

static uint64_t waker_pid_number(const void *item)
{
	return ((const struct lock_waker *)item)->names->tgid;
}

static const char *waker_name_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	return text_comm(((const struct lock_waker *)item)->names->comm, buffer);
}

static const void *waker_rows(const struct report *report, const void *item, size_t *count)
{
	const struct lock_row *row = item;

	*count = row->waker_count;
	return report->locks.wakers + row->first_waker;
}

static void lock_rest(const struct report *report, size_t first, void *item)
{
	struct lock_row *row = item;

	*row = (struct lock_row){ 0 };
	for (size_t i = first; i < report->locks.row_count; i++)
		wait_figures_sum(&row->figures, &report->locks.rows[i].figures);
}

/* Waits on several are not one time. */
static const char *lock_total(const struct report *report, size_t index, void *item)
{
	(void)report;
	(void)index;
	(void)item;
	return NULL;
}

/* A column in a line or two. */
/* clang-format off */
static const struct column waker_columns[] = {
	{ COLUMN_COUNT, 0, NULL, "pid", NULL, .number = waker_pid_number },
	{ COLUMN_NAME, 0, NULL, "name", NULL, .text = waker_name_text },
	{ COLUMN_COUNT, 0, NULL, "waits", "how many", FIELD(struct lock_waker, count) },
	{ COLUMN_TIME, 0, NULL, "waiting_ns",
	  "for these: the waiting of all, each time since the wakeup before",
	  FIELD(struct lock_waker, waiting_ns) },
};

static const struct row_type waker_type = ROW_TYPE(waker_columns, struct lock_waker);

#define OF(member) FIELD(struct lock_row, member)

static const struct column columns[] = {
	{ COLUMN_OBJECT, 0, "FUTEX", "futex", "without what may differ: owner and timeout_ns are null",
	  .cell = futex_cell, .object = futex_object, .type = "resource" },
	{ COLUMN_COUNT, 3, "PID", "pid", "null: threads of several processes waited", .number = pid_number,
	  .is_there = has_one_process, .cell = pid_cell },
	{ COLUMN_COUNT, 1, "THREADS", "threads", "how many waited", OF(thread_count) },
	{ COLUMN_COUNT, 0, "WAITS", "waits", "how many intervals", OF(figures.count), SUMMED },
	{ COLUMN_TIME, 0, "BLOCKED", "blocked_ns", "their sum", OF(figures.blocked_ns), .mark = bound_mark,
	  SUMMED },
	{ COLUMN_TIME, 0, NULL, "delay_ns", "from the wakeups on: waiting for a CPU", OF(figures.delay_ns) },
	{ COLUMN_TIME, 1, "MAX", "max_ns", "the longest one's blocked_ns", OF(max_ns), .mark = bound_mark },
	{ COLUMN_COUNT, 0, NULL, "timeouts", "waits that a timer ended", OF(timeouts) },
	{ COLUMN_FLAG, 0, NULL, "is_lower_bound", "of these times: that of an interval is",
	  OF(figures.is_lower_bound) },
	{ COLUMN_COUNT, 2, "AT ONCE", "most_waiting", "how many waited at once, at most",
	  OF(convoy.most_waiting) },
	{ COLUMN_TIME, 2, "CONVOY", "convoy_ns",
	  "the longest time in which at every moment some thread waited", OF(convoy.duration_ns),
	  .mark = bound_mark },
	{ COLUMN_MOMENT, 0, NULL, "convoy_start_ns", "when that began; null: there is no time",
	  OF(convoy.start_ns) },
	{ COLUMN_COUNT, 0, NULL, "convoy_waits", "how many waits began in it", OF(convoy.waits) },
	{ COLUMN_COUNT, 4, "ASLEEP", "threads_all_the_time",
	  "of the threads, how many were in one interval all the time", OF(idle_count), .hides_zero = true },
	{ COLUMN_PLACE, 1, "FUNCTION", "function",
	  "of the functions by way of which threads waited the one of most waits; this and the next as in "
	  "\"blocking\"",
	  OF(path.entered), .cell = function_cell },
	{ COLUMN_PLACE, 0, NULL, "innermost", NULL, OF(path.innermost) },
	{ COLUMN_PLACE, 2, "CALLED BY", "caller", NULL, OF(path.caller) },
	{ COLUMN_ROWS, 0, "WAITED FOR", "released_by",
	  "the tasks that ended waits, that which was waited for the longest first: threads of one name in "
	  "one process",
	  .cell = waker_cell, .row_type = &waker_type, .rows = waker_rows },
	{ COLUMN_SHARE, 0, "SHARE", NULL, "of the waiting that tasks have ended: for that task",
	  .value = waker_share_value },
	{ COLUMN_OBJECT, 3, "HELD NOW BY", "holder",
	  "the task that is waited for as the recording ends, as the owner in \"blocking\"; null: nobody, or "
	  "not known",
	  .cell = holder_cell, .object = holder_object, .type = "task" },
};
/* clang-format on */

const struct report_table report_table_locks = {
	.member = "locks",
	.help = "What each futex was to the threads that waited on it. A futex is an address in one process, "
		"or a place in a "
		"file that several share. Longest blocked_ns first, if --sort says nothing else. But for "
		"threads_all_the_time and holder, and the functions, nothing is of threads that were in one "
		"interval "
		"all the time.",
	.row_type = ROW_TYPE(columns, struct lock_row),
	.rows = TABLE_ROWS(locks.rows, locks.row_count),
	.rest = lock_rest,
	.total = lock_total,
};

int text_locks(struct renderer *renderer, const struct report *report)
{
	fputs("\nLocks: what each futex was to those that waited on it\n\n", renderer->out);
	return text_report_table(renderer, report, &report_table_locks);
}
