// SPDX-License-Identifier: GPL-2.0-only
/* The summary as JSON. */
#include "render/json_summary.h"

#include "render/json_chains.h"
#include "render/json_place.h"
#include "render/json_values.h"

static json_t *names_value(const struct name_group *names)
{
	char text[NAME_GROUP_SIZE];

	return *names->merged ? json_name(name_group_format(names, text)) : json_null();
}

static json_t *times_object(const uint64_t time_ns[SCALER_STATE_COUNT], uint64_t idle_ns)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "running_ns", json_number(time_ns[SCALER_RUNNING]),
			 "runnable_ns", json_number(time_ns[SCALER_RUNNABLE]), "waiting_ns",
			 json_number(time_ns[SCALER_BLOCKED] - idle_ns), "idle_ns", json_number(idle_ns));
}

static json_t *group_object(const struct report *report, size_t index)
{
	const struct summary_group *group = &report->summary.groups[index];

	return json_merge(times_object(group->figures.time_ns, group->idle_ns),
			  json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "name",
				    group->is_kernel ? json_null() : names_value(&group->names), "is_kernel",
				    group->is_kernel, "threads", json_number(group->threads), "processes",
				    json_number(group->processes), "life_ns",
				    json_number(group->figures.life_ns), "runs",
				    json_runs(report, &group->runs)));
}

static json_t *part_object(const struct report *report, const struct summary_part *part)
{
	return json_merge(json_chain_what(report, &part->what),
			  json_pack("{s:o, s:o}", "name", names_value(&part->names), "total_ns",
				    json_number(part->total_ns)));
}

static json_t *parts_array(const struct report *report, const struct summary_wait *wait)
{
	json_t *array = json_array();

	for (size_t i = 0; i < wait->part_count; i++) {
		if (json_append(array, part_object(report, &wait->parts[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *wait_object(const struct report *report, size_t index)
{
	const struct summary_wait *wait = &report->summary.waits[index];

	return json_merge(json_chain_what(report, &wait->what),
			  json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", names_value(&wait->names), "count",
				    json_number(wait->count), "total_ns", json_number(wait->total_ns),
				    "max_ns", json_number(wait->longest_ns), "meanwhile",
				    parts_array(report, wait)));
}

static json_t *function_object(const struct report *report, size_t index)
{
	const struct summary_function *function = &report->summary.functions[index];

	return json_merge(times_object(function->figures.time_ns, function->idle_ns),
			  json_pack("{s:o, s:o, s:o}", "function",
				    json_place(report->places, function->entered), "caller",
				    json_place(report->places, function->caller), "calls",
				    json_number(function->figures.calls)));
}

static json_t *array_of(const struct report *report, size_t count,
			json_t *(*make)(const struct report *report, size_t index))
{
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		if (json_append(array, make(report, i))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *json_summary_object(const struct report *report)
{
	const struct summary *summary = &report->summary;
	bool has_waits = report->options.parts & REPORT_SUMMARY_WAITS;

	return json_pack("{s:b, s:o, s:o, s:o, s:o}", "are_processes", summary->are_processes, "groups",
			 array_of(report, summary->group_count, group_object), "waits_ns",
			 has_waits ? json_number(summary->waits_ns) : json_null(), "waits",
			 has_waits ? array_of(report, summary->wait_count, wait_object) : json_null(),
			 "functions", array_of(report, summary->function_count, function_object));
}
