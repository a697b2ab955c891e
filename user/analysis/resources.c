// SPDX-License-Identifier: GPL-2.0-only
/* What threads waited on: what was recorded of it, joined with what is known of threads, variables, sockets and paths. */
#include "analysis/resources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static uint64_t make_number(uint32_t tgid, uint32_t own_tid)
{
	return (uint64_t)tgid << 32 | own_tid;
}

static int compare_numbers(const void *left, const void *right)
{
	const struct numbered_thread *a = left, *b = right;

	return array_order(a->number, b->number);
}

int resource_finder_make(struct resource_finder *finder, struct profile *profile, const struct places *places)
{
	*finder = (struct resource_finder){
		.profile = profile,
		.places = places,
		.threads = calloc(profile->thread_count + 1, sizeof(*finder->threads)),
		.thread_count = profile->thread_count,
	};
	if (!finder->threads)
		return -ENOMEM;
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct scaler_thread *thread = &profile->threads[i];

		finder->threads[i] =
			(struct numbered_thread){ make_number(thread->tgid, thread->own_tid), thread };
	}
	qsort(finder->threads, finder->thread_count, sizeof(*finder->threads), compare_numbers);
	return 0;
}

void resource_finder_clear(struct resource_finder *finder)
{
	free(finder->threads);
	*finder = (struct resource_finder){ 0 };
}

/*
 * What a program's memory says is believed only if a thread of that process had that number when the wait began. The
 * number may have been another thread's before.
 */
static const struct scaler_thread *find_owner(const struct resource_finder *finder,
					      const struct scaler_blocking_interval *interval)
{
	uint64_t number = make_number(interval->names.tgid, interval->resource.owner);
	/* Threads that were there before the recording were found one after the other. */
	uint64_t start_ns = interval->start_ns > finder->profile->recording_start_ns ?
				    interval->start_ns :
				    finder->profile->recording_start_ns;

	if (!interval->resource.owner || !interval->names.tgid)
		return NULL;
	for (size_t i = array_count_below(finder->threads, finder->thread_count, sizeof(*finder->threads),
					  number);
	     i < finder->thread_count && finder->threads[i].number == number; i++) {
		const struct scaler_thread *thread = finder->threads[i].thread;

		if (thread->start_ns <= start_ns && (!thread->end_ns || thread->end_ns >= start_ns) &&
		    thread->serial != interval->where.task)
			return thread;
	}
	return NULL;
}

uint64_t resource_timeout_ns(const struct scaler_blocking_interval *interval, int64_t wall_clock_ns)
{
	const struct scaler_resource *resource = &interval->resource;
	uint64_t start_ns = interval->start_ns, end_ns = resource->timeout_ns;

	switch (resource->timeout) {
	case SCALER_TIMEOUT_RELATIVE:
		return resource->timeout_ns;
	case SCALER_TIMEOUT_REALTIME:
		start_ns += (uint64_t)wall_clock_ns;
		break;
	case SCALER_TIMEOUT_MONOTONIC:
		break;
	default:
		return 0;
	}
	return end_ns > start_ns ? end_ns - start_ns : 0;
}

const struct scaler_socket *resource_find_socket(struct sockets *sockets,
						 const struct scaler_resource *recorded)
{
	bool is_socket =
		recorded->kind == SCALER_RESOURCE_FILE && (recorded->descriptor == SCALER_DESCRIPTOR_SOCKET ||
							   recorded->descriptor == SCALER_DESCRIPTOR_UNIX);

	return is_socket ? sockets_find(sockets, recorded->id) : NULL;
}

const struct file_path *resource_find_path(struct file_paths *paths, const struct scaler_resource *recorded)
{
	return recorded->kind == SCALER_RESOURCE_FILE ? file_paths_find(paths, recorded->path) : NULL;
}

struct resource resource_find(const struct resource_finder *finder,
			      const struct scaler_blocking_interval *interval)
{
	const struct scaler_resource *recorded = &interval->resource;
	struct resource resource = {
		.recorded = recorded,
		.variable = recorded->site ? places_find(finder->places, recorded->site) : PLACE_NONE,
		.timeout_ns = resource_timeout_ns(interval, finder->profile->wall_clock_ns),
	};

	if (recorded->kind == SCALER_RESOURCE_FUTEX)
		resource.owner = find_owner(finder, interval);
	resource.socket = resource_find_socket(&finder->profile->sockets, recorded);
	resource.path = resource_find_path(&finder->profile->paths, recorded);
	return resource;
}

bool resource_is_same(const struct scaler_resource *left, const struct scaler_resource *right)
{
	return left->id == right->id && left->device == right->device &&
	       (left->id || left->number == right->number);
}

/* By the end of a connection that does not change with each. */
static int compare_servers(const struct scaler_socket *a, const struct scaler_socket *b)
{
	enum socket_side side = socket_side(a);
	int order = array_order(side, socket_side(b)) ?: (!a) - (!b);

	if (order || !a)
		return order;
	order = array_order(a->family, b->family) ?: array_order(a->protocol, b->protocol);
	if (order || side == SOCKET_SIDE_UNKNOWN)
		return order;
	return side == SOCKET_SIDE_SERVER                  ? array_order(a->local_port, b->local_port) ?:
							     memcmp(a->local, b->local, sizeof(a->local)) :
	       array_order(a->remote_port, b->remote_port) ?:
							     memcmp(a->remote, b->remote, sizeof(a->remote));
}

/* Pipes and their like lie on devices too, which say nothing. */
static int compare_files(const struct scaler_resource *a, const struct scaler_resource *b)
{
	switch (a->descriptor) {
	case SCALER_DESCRIPTOR_REGULAR:
	case SCALER_DESCRIPTOR_DIRECTORY:
		return array_order(a->device, b->device) ?: array_order(a->id, b->id);
	case SCALER_DESCRIPTOR_BLOCK:
	case SCALER_DESCRIPTOR_CHARACTER:
	case SCALER_DESCRIPTOR_TTY:
		return array_order(a->device, b->device);
	}
	return 0;
}

int resource_compare_kinds(const struct resource *left, const struct resource *right)
{
	const struct scaler_resource *a = left->recorded, *b = right->recorded;
	int order = array_order(a->kind, b->kind)                     ?:
			    array_order(a->descriptor, b->descriptor) ?:
			    array_order(a->flags, b->flags)           ?:
			    array_order(a->path, b->path)             ?:
			    array_order(left->variable, right->variable);

	if (!order && a->kind == SCALER_RESOURCE_SYSV)
		order = array_order(a->number, b->number);
	if (!order && !a->path)
		order = compare_files(a, b);
	return order ?: compare_servers(left->socket, right->socket);
}
