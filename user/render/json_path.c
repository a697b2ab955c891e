// SPDX-License-Identifier: GPL-2.0-only
/* A critical path as JSON, described with the report's schema. */
#include "render/json_path.h"

#include "render/json_chains.h"
#include "render/json_resource.h"
#include "render/json_values.h"

/* Of more the longest. */
#define SEGMENTS 10000

static json_t *row_object(const struct report *report, const struct path_row *row)
{
	json_t *object = json_chain_what(report, &row->what);
	json_t *cause = row->cause.kind == CHAIN_WAIT ? json_null() : json_chain_what(report, &row->cause);

	if (object && !json_object_set_new(object, "cause", cause))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *sum_array(const struct report *report)
{
	const struct path_report *path = &report->path;
	json_t *array = json_array();

	for (size_t i = 0; i < path->row_count; i++) {
		const struct path_row *row = &path->rows[i];
		json_t *figures =
			json_pack("{s:o, s:o, s:o}", "count", json_number(row->count), "total_ns",
				  json_number(row->total_ns), "max_ns", json_number(row->longest_ns));

		if (json_append(array, json_merge(row_object(report, row), figures))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *segment_array(const struct report *report, const struct critical_path *segments)
{
	json_t *array = json_array();

	for (size_t i = 0; i < segments->count; i++) {
		const struct path_segment *segment = &segments->segments[i];
		const struct path_row row = path_row_of(&report->graph, segment);
		const struct scaler_thread *thread = wait_graph_thread(&report->graph, segment->task);
		json_t *times =
			json_pack("{s:o, s:o, s:o}", "thread", json_thread(thread), "from_ns",
				  json_number(segment->from_ns), "to_ns", json_number(segment->to_ns));

		if (json_append(array, json_merge(row_object(report, &row), times))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *json_critical_path(const struct report *report)
{
	const struct path_report *path = &report->path;
	const struct path_choice *choice = &path->choice;
	struct critical_path longest = { 0 };
	json_t *object;

	if (!choice->thread)
		return json_null();
	if (critical_path_longest(&path->path, SEGMENTS, &longest))
		return NULL;
	object = json_pack("{s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "thread",
			   json_thread(choice->thread), "is_process", choice->is_process, "from_ns",
			   json_number(choice->from_ns), "to_ns", json_number(choice->to_ns), "running_ns",
			   json_number(path->running_ns), "runnable_ns", json_number(path->runnable_ns),
			   "waiting_ns", json_number(path->waiting_ns), "sums", sum_array(report), "left_out",
			   json_number(path->path.count - longest.count), "segments",
			   segment_array(report, &longest));
	critical_path_clear(&longest);
	return object;
}
