// SPDX-License-Identifier: GPL-2.0-only
/* Who waits in what on what, and who or what ends waits: what is alike in these has one shape, however often. */
#include "analysis/wait_shape.h"

#include <string.h>

#include "analysis/blocking_report.h"
#include "analysis/resources.h"

static void set_name(char name[16], const char comm[SCALER_COMM_SIZE])
{
	memcpy(name, comm, strnlen(comm, SCALER_COMM_SIZE));
}

static void set_place(struct wait_shape_key *key, const struct scaler_sample *where,
		      const struct scaler_task_names *names)
{
	key->site = where->site;
	key->kernel = where->kernel;
	key->stack = where->stack;
	key->sample_kind = where->kind;
	set_name(key->comm, names->comm);
}

static void set_call(struct wait_shape_key *key, struct scaler_call_id call, bool is_in_call)
{
	key->is_in_call = is_in_call;
	if (is_in_call)
		key->call = call;
}

static uint32_t add(struct distinct *shapes, const struct wait_shape_key *key)
{
	return (uint32_t)distinct_add(shapes, key, sizeof(*key), sizeof(struct wait_shape));
}

bool wait_shape_is_same_thing(const struct wait_shape *left, const struct wait_shape *right)
{
	return !left->has_several && !right->has_several &&
	       resource_is_same(&left->resource, &right->resource);
}

static void add_wait(struct wait_shape *shape, const struct scaler_blocking_interval *interval,
		     uint64_t timeout_ns)
{
	if (!shape->is_wait) {
		shape->is_wait = true;
		shape->resource = interval->resource;
		shape->least_timeout_ns = timeout_ns;
		shape->most_timeout_ns = timeout_ns;
		return;
	}
	shape->has_several |= !resource_is_same(&shape->resource, &interval->resource);
	if (timeout_ns < shape->least_timeout_ns)
		shape->least_timeout_ns = timeout_ns;
	if (timeout_ns > shape->most_timeout_ns)
		shape->most_timeout_ns = timeout_ns;
}

uint32_t wait_shape_of_waiter(struct distinct *shapes, const struct scaler_blocking_interval *interval,
			      const struct scaler_socket *socket, int64_t wall_clock_ns)
{
	const struct scaler_resource *resource = &interval->resource;
	struct wait_shape_key key = {
		.resource = resource->kind,
		.descriptor = resource->descriptor,
		.resource_flags = resource->flags,
		.variable = resource->site,
		.side = (uint8_t)socket_side(socket),
	};
	uint32_t number;

	set_place(&key, &interval->where, &interval->names);
	set_call(&key, interval->call, interval->flags & SCALER_BLOCKING_IN_CALL);
	number = add(shapes, &key);
	if (number != WAIT_SHAPE_NONE)
		add_wait(&((struct wait_shape *)shapes->items)[number], interval,
			 resource_timeout_ns(interval, wall_clock_ns));
	return number;
}

uint32_t wait_shape_of_delay(struct distinct *shapes, const struct scaler_blocking_interval *interval)
{
	struct wait_shape_key key = { 0 };

	set_name(key.comm, interval->names.comm);
	set_name(key.cpu_holder, interval->cpu_holder);
	return add(shapes, &key);
}

uint32_t wait_shape_of_waker(struct distinct *shapes, const struct scaler_waker *waker, uint32_t disk)
{
	struct wait_shape_key key = {
		.vector = waker->vector,
		.context = waker->context,
		.is_timer = waker->is_timer != 0,
		.signal = waker->signal,
		.origin = (uint8_t)waker_origin(waker),
		.disk = disk,
	};
	struct wait_shape *shape;
	uint32_t number;

	set_place(&key, &waker->where, &waker->names);
	set_call(&key, waker->call, waker->is_in_call);
	number = add(shapes, &key);
	if (number == WAIT_SHAPE_NONE)
		return number;
	shape = &((struct wait_shape *)shapes->items)[number];
	if (!shape->process && !waker->where.task)
		shape->process = waker->names.tgid;
	return number;
}

uint32_t wait_shape_of_worker(struct distinct *shapes, uint32_t name, const struct scaler_waker *waker)
{
	struct wait_shape_key key = { .context = waker->context, .kernel = waker->where.kernel };

	if (name != WAIT_SHAPE_NONE)
		memcpy(key.comm, wait_shape_get(shapes, name)->key.comm, sizeof(key.comm));
	return add(shapes, &key);
}

uint32_t wait_shape_of_name(struct distinct *shapes, const char comm[SCALER_COMM_SIZE])
{
	struct wait_shape_key key = { 0 };

	set_name(key.comm, comm);
	return add(shapes, &key);
}
