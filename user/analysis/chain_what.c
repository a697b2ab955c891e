// SPDX-License-Identifier: GPL-2.0-only
/* What a part of a chain was, by the names that people know. */
#include "analysis/chain_what.h"

#include <string.h>

static void set_place(struct chain_what_key *key, const struct chain_what *what)
{
	const struct wait_shape_key *shape = &what->shape->key;

	key->entered = what->place.path.entered;
	key->innermost = what->place.path.innermost;
	key->caller = what->place.path.caller;
	key->cut = what->place.path.cut;
	key->kernel = what->kernel;
	key->is_in_call = shape->is_in_call;
	memcpy(&key->call, &shape->call, sizeof(key->call));
}

struct chain_what_key chain_what_key(const struct chain_what *what)
{
	const struct wait_shape_key *shape = &what->shape->key;
	struct chain_what_key key = { .kind = what->kind };

	switch (what->kind) {
	case CHAIN_WAIT:
		key.resource = shape->resource;
		key.descriptor = shape->descriptor;
		key.resource_flags = shape->resource_flags;
		key.variable = what->resource.variable;
		key.side = shape->side;
		/* fall through */
	case CHAIN_RUNNING:
		set_place(&key, what);
		/* fall through */
	case CHAIN_CREATED:
	case CHAIN_RUNNABLE:
	case CHAIN_QUOTA:
	case CHAIN_UNTRACED:
	case CHAIN_FLIGHT:
	case CHAIN_WORK:
		memcpy(key.comm, shape->comm, sizeof(key.comm));
		memcpy(key.cpu_holder, shape->cpu_holder, sizeof(key.cpu_holder));
		key.signal = shape->signal;
		break;
	case CHAIN_DEVICE:
	case CHAIN_INTERRUPT:
		key.disk = shape->disk;
		if (key.disk)
			break;
		key.context = shape->origin;
		key.vector = shape->vector;
		break;
	default:
		break;
	}
	return key;
}

struct chain_what_key chain_what_key_of(const struct wait_graph *graph, enum chain_kind kind, uint32_t number)
{
	const struct chain_what what = chain_what_of(graph, kind, number);

	return chain_what_key(&what);
}

struct chain_what chain_what_of(const struct wait_graph *graph, enum chain_kind kind, uint32_t number)
{
	const struct wait_shape *shape = wait_shape_get(&graph->history->shapes, number);
	const struct shape_names *names = &graph->names[number];

	return (struct chain_what){
		.kind = kind,
		.shape = shape,
		.place = names->place,
		.kernel = names->kernel,
		.resource = names->resource,
		.disk = names->disk,
		.interrupt = names->interrupt,
		.least_timeout_ns = shape->least_timeout_ns,
		.most_timeout_ns = shape->most_timeout_ns,
	};
}

void chain_what_add(struct chain_what *what, const struct wait_graph *graph, uint32_t number)
{
	const struct wait_shape *shape = wait_shape_get(&graph->history->shapes, number);

	what->has_several |= !wait_shape_is_same_thing(what->shape, shape);
	if (shape->least_timeout_ns < what->least_timeout_ns)
		what->least_timeout_ns = shape->least_timeout_ns;
	if (shape->most_timeout_ns > what->most_timeout_ns)
		what->most_timeout_ns = shape->most_timeout_ns;
}
