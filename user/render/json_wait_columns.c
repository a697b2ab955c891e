// SPDX-License-Identifier: GPL-2.0-only
/* What rows of waits have in common, in JSON. */
#include "render/wait_columns.h"

#include <stdlib.h>

#include "render/json_place.h"
#include "render/json_resource.h"
#include "render/json_values.h"
#include "render/json_wait.h"
#include "render/text.h"

const char *wait_cut_text(const void *item, char buffer[VALUE_TEXT_SIZE])
{
	const struct wait_place *place = &((const struct blocking_row *)item)->place;

	(void)buffer;
	return place->frames.count && place->path.entered == PLACE_NONE ? stack_end_text(place->path.cut) :
									  NULL;
}

json_t *json_wait_call_object(const struct report *report, const void *item)
{
	const struct scaler_blocking_interval *interval = ((const struct blocking_row *)item)->interval;

	(void)report;
	return json_call(&interval->call, interval->flags & SCALER_BLOCKING_IN_CALL);
}

json_t *json_wait_resource_object(const struct report *report, const void *item)
{
	return json_resource(report, &((const struct blocking_row *)item)->resource);
}

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

json_t *json_stack_array(const struct frames *frames)
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

json_t *json_wakeup_object(const struct report *report, const void *item)
{
	const struct blocking_row *row = item;
	const struct scaler_waker *waker = &row->interval->waker;
	json_t *value =
		wakeup_value(report, row, waker_is_known(waker) ? task_object(&waker->names) : json_null());

	if (!json_is_object(value))
		return value;
	if (json_object_set_new(value, "stack", json_stack_array(&row->waker.frames)) ||
	    json_object_set_new(value, "request", request_value(&row->request)) ||
	    json_object_set_new(value, "sent_ns", json_time(waker->sent_ns))) {
		json_decref(value);
		return NULL;
	}
	return value;
}

json_t *json_wakeups_object(const struct report *report, const void *item)
{
	const struct wait_row *row = item;
	const struct scaler_waker *waker = &row->longest.interval->waker;

	return wakeup_value(report, &row->longest, waker_is_known(waker) ? wakers_object(row) : json_null());
}
