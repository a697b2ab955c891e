// SPDX-License-Identifier: GPL-2.0-only
/* Bottlenecks as JSON, described with the report's schema. */
#include "render/json_bottlenecks.h"

#include "render/json_chains.h"
#include "render/json_resource.h"
#include "render/json_values.h"
#include "render/json_wait.h"

static const char *kind_name(enum chain_kind kind)
{
	switch (kind) {
	case CHAIN_WAIT:
		return "threads";
	case CHAIN_RUNNABLE:
		return "cpu";
	case CHAIN_QUOTA:
		return "cpu_quota";
	default:
		return chain_kind_name(kind);
	}
}

static json_t *group_object(const struct bottleneck_group *group)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", kind_name(group->kind), "name",
			 *group->name ? json_comm(group->name) : json_null(), "device",
			 json_name(group->disk), "interrupt", json_name(group->interrupt), "root_ns",
			 json_number(group->root_ns), "awaited_ns", json_number(group->awaited_ns),
			 "waits_ns", json_number(group->waits_ns), "knot",
			 group->knot ? json_number(group->knot) : json_null());
}

static json_t *row_object(const struct report *report, const struct bottleneck_row *row)
{
	return json_merge(json_chain_what(report, &row->what),
			  json_pack("{s:o, s:o, s:o, s:o}", "waiter", json_number(row->waiter), "ender",
				    json_number(row->ender), "weight_ns", json_number(row->weight_ns),
				    "own_ns", json_number(row->own_ns)));
}

static json_t *group_array(const struct bottleneck_report *bottlenecks)
{
	json_t *array = json_array();

	for (size_t i = 0; i < bottlenecks->group_count; i++) {
		if (json_append(array, group_object(&bottlenecks->groups[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *json_bottleneck_object(const struct report *report)
{
	const struct bottleneck_report *bottlenecks = &report->bottlenecks;
	json_t *events = json_array();

	for (size_t i = 0; i < bottlenecks->row_count; i++) {
		if (json_append(events, row_object(report, &bottlenecks->rows[i]))) {
			json_decref(events);
			return NULL;
		}
	}
	return json_pack("{s:o, s:o, s:o}", "total_ns", json_number(bottlenecks->total_ns), "groups",
			 group_array(bottlenecks), "events", events);
}
