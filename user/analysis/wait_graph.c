// SPDX-License-Identifier: GPL-2.0-only
/* The wait-for graph of a recording, and what is known by name of what is in it. */
#include "analysis/wait_graph.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

static struct shape_names find_names(struct wait_graph *graph, const struct wait_shape *shape)
{
	const struct wait_shape_key *key = &shape->key;
	const struct scaler_sample where = {
		.site = key->site, .kernel = key->kernel, .stack = key->stack, .kind = key->sample_kind
	};
	const struct places *places = graph->places;
	struct shape_names names = {
		.place = wait_place_find(graph->profile, places, &where),
		.kernel = key->kernel ? places_find(places, key->kernel) : PLACE_NONE,
		.disk = key->disk ? number_names_get(&places->disks, key->disk) : NULL,
		.resource = { .recorded = &shape->resource, .variable = PLACE_NONE },
	};

	if (!names.disk)
		names.interrupt = waker_interrupt_name(&places->interrupts, key->origin, key->vector);
	if (key->variable)
		names.resource.variable = places_find(places, key->variable);
	if (shape->is_wait) {
		names.resource.socket = resource_find_socket(&graph->profile->sockets, &shape->resource);
		names.resource.path = resource_find_path(&graph->profile->paths, &shape->resource);
	}
	return names;
}

static int name_shapes(struct wait_graph *graph)
{
	const struct distinct *shapes = &graph->history->shapes;

	graph->names = calloc(shapes->count + 1, sizeof(*graph->names));
	for (size_t i = 0; i < shapes->count && graph->names; i++)
		graph->names[i] = find_names(graph, wait_shape_get(shapes, (uint32_t)i));
	return graph->names ? 0 : -ENOMEM;
}

int wait_graph_make(struct profile *profile, const struct places *places, const struct wait_history *history,
		    struct wait_graph *graph)
{
	*graph = (struct wait_graph){ .profile = profile, .places = places, .history = history };
	return name_shapes(graph);
}

const struct scaler_thread *wait_graph_thread(const struct wait_graph *graph, uint32_t task)
{
	return profile_find_thread(graph->profile, task);
}

void wait_graph_clear(struct wait_graph *graph)
{
	free(graph->names);
	*graph = (struct wait_graph){ 0 };
}
