// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains as JSON, described with the report's schema. */
#include "render/json_chains.h"

#include "render/json_place.h"
#include "render/json_resource.h"
#include "render/json_values.h"
#include "render/json_wait.h"

static json_t *timeout_value(const struct chain_what *what)
{
	if (!what->least_timeout_ns)
		return json_null();
	return json_pack("{s:o, s:o}", "least_ns", json_number(what->least_timeout_ns), "most_ns",
			 json_number(what->most_timeout_ns));
}

static json_t *side_value(enum socket_side side)
{
	static const char *const names[] = {
		[SOCKET_SIDE_UNKNOWN] = NULL,
		[SOCKET_SIDE_SERVER] = "server",
		[SOCKET_SIDE_CLIENT] = "client",
	};

	return names[side] ? json_string(names[side]) : json_null();
}

json_t *json_runs(const struct report *report, const struct runs *runs)
{
	if (runs->function == PLACE_NONE)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "function", json_place(report->places, runs->function),
			 "function_ns", json_number(runs->function_ns), "running_ns",
			 json_number(runs->running_ns));
}

static json_t *runs_value(const struct report *report, const struct chain_what *what)
{
	const struct runs runs = runs_table_find(&report->runs, what->shape->key.comm);

	return what->kind == CHAIN_RUNNING ? json_runs(report, &runs) : json_null();
}

json_t *json_chain_what(const struct report *report, const struct chain_what *what)
{
	const struct wait_shape_key *key = &what->shape->key;
	const struct call_path *path = &what->place.path;
	bool is_wait = what->kind == CHAIN_WAIT, has_place = chain_what_has_place(what);

	return json_pack(
		"{s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"kind", chain_kind_name(what->kind), "name",
		chain_kind_has_task(what->kind) ? json_comm(key->comm) : json_null(), "syscall",
		json_call(&key->call, has_place && key->is_in_call), "resource",
		is_wait ? json_resource(report, &what->resource) : json_null(), "is_several",
		is_wait && what->has_several, "side", side_value(is_wait ? key->side : 0), "timeout",
		is_wait ? timeout_value(what) : json_null(), "kernel_function",
		json_place(report->places, is_wait ? what->kernel : PLACE_NONE), "function",
		json_place(report->places, has_place ? path->entered : PLACE_NONE), "innermost",
		json_place(report->places, has_place ? path->innermost : PLACE_NONE), "caller",
		json_place(report->places, has_place ? path->caller : PLACE_NONE), "cut",
		has_place ? json_cut(&what->place) : json_null(), "device", json_name(what->disk),
		"interrupt", json_name(what->interrupt), "signal", json_signal(key->signal), "cpu_had_by",
		*key->cpu_holder ? json_comm(key->cpu_holder) : json_null(), "runs",
		runs_value(report, what));
}

static json_t *segment_object(const struct report *report, const struct chain_segment *segment)
{
	const struct chain_what what = chain_what_of(&report->graph, segment->kind, segment->shape);
	const struct scaler_thread *thread = wait_graph_thread(&report->graph, segment->task);

	return json_merge(json_chain_what(report, &what),
			  json_pack("{s:o, s:i, s:o, s:o}", "thread", json_thread(thread), "depth",
				    (int)segment->depth, "from_ns", json_number(segment->from_ns), "to_ns",
				    json_number(segment->to_ns)));
}

static json_t *longest_object(const struct report *report, const struct chain_example *example)
{
	const struct scaler_thread *thread = wait_graph_thread(&report->graph, example->whole.task);
	json_t *array = json_array();

	for (size_t i = 0; i < example->count; i++) {
		if (report_shows_depth(&report->options, example->segments[i].depth) &&
		    json_append(array, segment_object(report, &example->segments[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "thread", json_thread(thread), "from_ns",
			 json_number(example->whole.from_ns), "to_ns", json_number(example->whole.to_ns),
			 "left_out", json_number(example->left_out), "segments", array);
}

/* With what explains it; recursive as chains are. */
static json_t *row_object(const struct report *report, const struct chain_row *row)
{
	const struct chain_row *end = row + row->below + 1;
	json_t *object = json_chain_what(report, &row->what), *causes = json_array();
	int err = 0;

	for (const struct chain_row *child = row + 1; child < end && !err; child += child->below + 1)
		err = json_append(causes, row_object(report, child));
	err = err ?: json_object_set_new(object, "count", json_number(row->count));
	err = err ?: json_object_set_new(object, "total_ns", json_number(row->total_ns));
	err = err ?: json_object_set_new(object, "idle_ns", json_number(row->idle_ns));
	err = err ?: json_object_set_new(object, "max_ns", json_number(row->longest_ns));
	err = err ?: json_object_set(object, "causes", causes);
	if (row->longest)
		err = err ?: json_object_set_new(object, "longest", longest_object(report, row->longest));
	json_decref(causes);
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

json_t *json_chain_array(const struct report *report)
{
	const struct chain_report *chains = &report->chains;
	const struct chain_row *end = chains->rows + chains->row_count;
	json_t *array = json_array();

	for (const struct chain_row *row = chains->rows; row < end; row += row->below + 1) {
		if (json_append(array, row_object(report, row))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}
