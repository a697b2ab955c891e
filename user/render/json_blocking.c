// SPDX-License-Identifier: GPL-2.0-only
/* The blocking report as JSON, described with the report's schema. */
#include "render/json_blocking.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/frames.h"
#include "render/json_place.h"
#include "render/json_resource.h"
#include "render/json_values.h"
#include "render/json_wait.h"
#include "render/text.h"

static json_t *task_object(const struct scaler_task_names *names)
{
	return json_pack("{s:o, s:o, s:o}", "pid", json_number(names->tgid), "tid", json_number(names->tid),
			 "name", json_comm(names->comm));
}

/* Threads of one name, of one process or several. */
static json_t *wakers_object(const struct wait_row *row)
{
	const struct scaler_task_names *names = &row->longest.interval->waker.names;

	return json_pack("{s:o, s:o, s:b}", "pid",
			 row->has_several_wakers ? json_null() : json_number(names->tgid), "name",
			 json_comm(names->comm), "is_own_process",
			 names->tgid == row->longest.interval->names.tgid);
}

/* The innermost frame first. */
static json_t *stack_array(const struct frames *frames)
{
	json_t *array = json_array();

	for (size_t i = 0; i < frames->count; i++) {
		char *place = text_format_place(frames->places, frames_place(frames, i));
		int err = json_append(array, place ? json_string(place) : NULL);

		free(place);
		if (err) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* null: it was not work that did it. */
static json_t *queued_in_value(const struct scaler_waker *waker)
{
	return waker->context == SCALER_WAKER_WORKQUEUE ?
		       json_string(waker_context_name(waker_origin(waker)) ?: "unknown") :
		       json_null();
}

/* Where the wakeup came from; null: it was missed. The task that it is due to is taken over. */
static json_t *wakeup_value(const struct report *report, const struct blocking_row *row, json_t *task)
{
	const struct scaler_waker *waker = &row->interval->waker;
	const struct call_path *path = &row->waker.path;
	const char *context = waker_context_name(waker->context);

	if (!context) {
		json_decref(task);
		return json_null();
	}
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "context",
			 context, "work", json_place(report->places, row->work), "queued_in",
			 queued_in_value(waker), "interrupt", json_name(row->interrupt), "number",
			 waker->vector == SCALER_VECTOR_NONE ? json_null() : json_number(waker->vector),
			 "is_timer", waker->is_timer, "signal", json_signal(waker->signal), "task", task,
			 "syscall", json_call(&waker->call, waker->is_in_call), "function",
			 json_place(report->places, path->entered), "innermost",
			 json_place(report->places, path->innermost), "caller",
			 json_place(report->places, path->caller), "cut", json_cut(&row->waker));
}

/* null: it waited for none. */
static json_t *request_value(const struct awaited_request *request)
{
	const struct scaler_block_request *recorded = request->recorded;

	if (!recorded)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "device", json_device(recorded->device),
			 "name", json_name(request->device), "operation", json_name(request->operation),
			 "sector", json_number(recorded->sector), "bytes", json_number(recorded->bytes),
			 "queued_ns", json_time(request->queued_ns), "served_ns",
			 json_time(request->served_ns));
}

static json_t *interval_wakeup_value(const struct report *report, const struct blocking_row *row)
{
	const struct scaler_waker *waker = &row->interval->waker;
	json_t *value =
		wakeup_value(report, row, waker_is_known(waker) ? task_object(&waker->names) : json_null());

	if (!json_is_object(value))
		return value;
	if (json_object_set_new(value, "stack", stack_array(&row->waker.frames)) ||
	    json_object_set_new(value, "request", request_value(&row->request)) ||
	    json_object_set_new(value, "sent_ns", json_time(waker->sent_ns))) {
		json_decref(value);
		return NULL;
	}
	return value;
}

static json_t *sum_wakeup_value(const struct report *report, const struct wait_row *row)
{
	const struct scaler_waker *waker = &row->longest.interval->waker;

	return wakeup_value(report, &row->longest, waker_is_known(waker) ? wakers_object(row) : json_null());
}

typedef json_t *make_element(const struct report *report, const void *item);

static json_t *make_array(const struct report *report, const void *items, size_t count, size_t item_bytes,
			  make_element *make)
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		if (json_append(array, make(report, (const char *)items + i * item_bytes))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *waker_object(const struct report *report, const void *item)
{
	const struct lock_waker *waker = item;

	(void)report;
	return json_pack("{s:o, s:o, s:o, s:o}", "pid", json_number(waker->names->tgid), "name",
			 json_comm(waker->names->comm), "waits", json_number(waker->count), "waiting_ns",
			 json_number(waker->waiting_ns));
}

/* clang-format off: one name and its value a line */

static json_t *interval_object(const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	const struct scaler_blocking_interval *interval = row->interval;
	const struct call_path *path = &row->place.path;
	char state[] = { blocking_state_letter(interval->state), '\0' };

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o, s:o}",
		"pid", json_number(interval->names.tgid), "tid", json_number(interval->names.tid), "name",
		json_comm(interval->names.comm), "start_ns", json_number(interval->start_ns), "woken_ns",
		json_time(interval->woken_ns), "end_ns", json_time(interval->end_ns), "blocked_ns",
		json_number(row->blocked_ns), "delay_ns", json_number(row->delay_ns), "quota_ns",
		json_number(row->quota_ns), "is_lower_bound", row->is_lower_bound, "is_all_the_time",
		row->is_all_the_time, "state", state, "syscall",
		json_call(&interval->call, interval->flags & SCALER_BLOCKING_IN_CALL), "resource",
		json_resource(report, &row->resource), "kernel_function",
		json_place(report->places, row->kernel), "function",
		json_place(report->places, path->entered), "innermost",
		json_place(report->places, path->innermost), "caller",
		json_place(report->places, path->caller), "cut", json_cut(&row->place), "stack",
		stack_array(&row->place.frames), "wakeup", interval_wakeup_value(report, row));
}

static json_t *sum_object(const struct report *report, const void *item)
{
	const struct wait_row *row = item;
	const struct blocking_row *longest = &row->longest;
	const struct scaler_blocking_interval *interval = longest->interval;
	const struct wait_figures *figures = &row->figures;
	const struct call_path *path = &longest->place.path;

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:b, s:o, s:o, s:o, "
		"s:o, s:o, s:o}",
		"pid", row->process_count == 1 ? json_number(interval->names.tgid) : json_null(), "name",
		json_comm(interval->names.comm), "processes", json_number(row->process_count), "threads",
		json_number(row->thread_count), "waits", json_number(figures->count), "blocked_ns",
		json_number(figures->blocked_ns), "delay_ns", json_number(figures->delay_ns), "p99_ns",
		json_number(row->p99_ns), "max_ns", json_number(longest->blocked_ns), "max_tid",
		json_number(interval->names.tid), "max_start_ns", json_number(interval->start_ns),
		"is_lower_bound", figures->is_lower_bound, "syscall",
		json_call(&interval->call, interval->flags & SCALER_BLOCKING_IN_CALL), "resource",
		json_resource(report, &longest->resource), "is_several", longest->resource.is_several,
		"kernel_function", json_place(report->places, longest->kernel), "function",
		json_place(report->places, path->entered), "innermost",
		json_place(report->places, path->innermost), "caller",
		json_place(report->places, path->caller), "cut", json_cut(&longest->place), "wakeup",
		sum_wakeup_value(report, row));
}

static json_t *lock_object(const struct report *report, const void *item)
{
	const struct lock_row *row = item;
	const struct wait_figures *figures = &row->figures;
	const struct convoy *convoy = &row->convoy;
	json_t *wakers = make_array(report, report->locks.wakers + row->first_waker, row->waker_count,
				    sizeof(struct lock_waker), waker_object);

	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
		"s:o, s:o}",
		"pid", row->process_count == 1 ? json_number(row->names->tgid) : json_null(), "futex",
		json_resource(report, &row->resource), "threads", json_number(row->thread_count),
		"threads_all_the_time", json_number(row->idle_count), "waits", json_number(figures->count),
		"blocked_ns", json_number(figures->blocked_ns), "delay_ns", json_number(figures->delay_ns),
		"max_ns", json_number(row->max_ns), "timeouts", json_number(row->timeouts), "is_lower_bound",
		figures->is_lower_bound, "most_waiting", json_number(convoy->most_waiting), "convoy_ns",
		json_number(convoy->duration_ns), "convoy_start_ns", json_time(convoy->start_ns),
		"convoy_waits", json_number(convoy->waits), "function",
		json_place(report->places, row->path.entered), "innermost",
		json_place(report->places, row->path.innermost), "caller",
		json_place(report->places, row->path.caller), "released_by", wakers, "holder",
		json_thread(row->holder));
}

/* clang-format on */

json_t *json_blocking_intervals(const struct report *report)
{
	const struct blocking_report *blocking = &report->blocking;

	return make_array(report, blocking->rows, blocking->row_count, sizeof(*blocking->rows),
			  interval_object);
}

json_t *json_wait_sums(const struct report *report)
{
	const struct wait_summary *waits = &report->waits;

	return make_array(report, waits->rows, waits->row_count, sizeof(*waits->rows), sum_object);
}

json_t *json_lock_array(const struct report *report)
{
	const struct lock_summary *locks = &report->locks;

	return make_array(report, locks->rows, locks->row_count, sizeof(*locks->rows), lock_object);
}

int json_stream(struct renderer *renderer, const struct report *report)
{
	const struct blocking_report *blocking = &report->blocking;

	for (size_t i = 0; i < blocking->row_count; i++) {
		json_t *object = interval_object(report, &blocking->rows[i]);

		if (!object)
			return -ENOMEM;
		json_dumpf(object, renderer->out, JSON_COMPACT);
		fputc('\n', renderer->out);
		json_decref(object);
	}
	return 0;
}
