// SPDX-License-Identifier: GPL-2.0-only
/* What a thread waited on as JSON, described with the report's schema. */
#include "render/json_resource.h"

#include "base/array.h"
#include "model/syscalls.h"
#include "render/json_place.h"
#include "render/json_values.h"
#include "render/json_wait.h"
#include "render/socket_text.h"

json_t *json_thread(const struct scaler_thread *thread)
{
	if (!thread)
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "pid", json_number(thread->tgid), "tid", json_number(thread->tid),
			 "name", json_comm(thread->comm));
}

static json_t *futex_object(const struct report *report, const struct resource *resource)
{
	return json_pack(
		"{s:s, s:o, s:b, s:o, s:o}", "kind", "futex", "address", json_number(resource->recorded->id),
		"is_shared", resource->recorded->flags & SCALER_RESOURCE_SHARED, "variable",
		json_place(report->places, resource->variable), "owner", json_thread(resource->owner));
}

static json_t *socket_value(const struct scaler_socket *socket)
{
	char local[SOCKET_ADDRESS_SIZE], remote[SOCKET_ADDRESS_SIZE];
	bool has_addresses = socket_has_addresses(socket), is_connected = socket_is_connected(socket);

	if (!socket)
		return json_null();
	return json_pack("{s:s, s:o, s:o, s:o}", "protocol", socket_protocol(socket), "local",
			 has_addresses ? json_string(socket_format_local(socket, local)) : json_null(),
			 "remote",
			 is_connected ? json_string(socket_format_remote(socket, remote)) : json_null(),
			 "peer_inode", socket->peer ? json_number(socket->peer) : json_null());
}

json_t *json_device(uint32_t device)
{
	return device ? json_sprintf("%u:%u", device >> 20, device & 0xfffff) : json_null();
}

static json_t *json_descriptor(int32_t fd)
{
	return fd == SCALER_NO_DESCRIPTOR ? json_null() : json_integer(fd);
}

static json_t *file_object(const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;
	bool is_eventfd = recorded->descriptor == SCALER_DESCRIPTOR_EVENTFD;
	bool is_of_ring = recorded->flags & SCALER_RESOURCE_RING;
	const struct file_path *path = resource->path;

	return json_pack(
		"{s:s, s:o, s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:o}", "kind", "file", "fd",
		json_descriptor(recorded->number), "type", syscall_descriptor_name(recorded->descriptor),
		"epoll_fd", recorded->flags & SCALER_RESOURCE_SET ? json_integer(recorded->set) : json_null(),
		"ring_fd", is_of_ring ? json_descriptor(recorded->set) : json_null(), "is_of_ring",
		is_of_ring, "inode", is_eventfd || !recorded->id ? json_null() : json_number(recorded->id),
		"eventfd_id", is_eventfd ? json_number(recorded->id) : json_null(), "device",
		json_device(recorded->device), "path", json_name(path ? path->text : NULL), "is_deleted",
		path && path->is_deleted, "socket", socket_value(resource->socket));
}

static json_t *kind_object(const struct report *report, const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;

	switch (recorded->kind) {
	case SCALER_RESOURCE_FUTEX:
		return futex_object(report, resource);
	case SCALER_RESOURCE_FILE:
		return file_object(resource);
	case SCALER_RESOURCE_FILES:
		return json_pack("{s:s, s:o}", "kind", "files", "count",
				 recorded->number ? json_integer(recorded->number) : json_null());
	case SCALER_RESOURCE_CHILD:
		return json_pack("{s:s, s:o}", "kind", "child", "pid",
				 recorded->number > 0 ? json_integer(recorded->number) : json_null());
	case SCALER_RESOURCE_FUTEXES:
		return json_pack("{s:s, s:o, s:o, s:o}", "kind", "futexes", "count",
				 json_integer(recorded->number), "address", json_number(recorded->id),
				 "variable", json_place(report->places, resource->variable));
	case SCALER_RESOURCE_AIO:
		return json_pack("{s:s, s:o}", "kind", "aio", "address", json_number(recorded->id));
	case SCALER_RESOURCE_STOPPED:
		return json_pack("{s:s}", "kind", "stopped");
	case SCALER_RESOURCE_TRACED:
		return json_pack("{s:s}", "kind", "traced");
	case SCALER_RESOURCE_FROZEN:
		return json_pack("{s:s}", "kind", "frozen");
	case SCALER_RESOURCE_SYSV:
		return json_pack("{s:s, s:i}", "kind", "sysv", "id", recorded->number);
	}
	return json_pack("{s:s}", "kind", "time");
}

/* What one of several may have else than the others. */
static int forget_identity(json_t *object, const struct resource *resource)
{
	static const char *const keys[] = { "address", "fd",         "epoll_fd", "ring_fd",
					    "inode",   "eventfd_id", "pid",      "count" };
	json_t *socket = json_object_get(object, "socket");
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (json_object_get(object, keys[i]))
			err |= json_object_set_new(object, keys[i], json_null());
	}
	if (!json_is_object(socket))
		return err;
	if (socket_side(resource->socket) != SOCKET_SIDE_SERVER)
		err |= json_object_set_new(socket, "local", json_null());
	if (socket_side(resource->socket) != SOCKET_SIDE_CLIENT)
		err |= json_object_set_new(socket, "remote", json_null());
	return err | json_object_set_new(socket, "peer_inode", json_null());
}

json_t *json_resource(const struct report *report, const struct resource *resource)
{
	json_t *object, *timeout;

	if (!resource->recorded->kind && !resource->timeout_ns)
		return json_null();
	object = kind_object(report, resource);
	timeout = resource->timeout_ns ? json_number(resource->timeout_ns) : json_null();
	if (!object || json_object_set_new(object, "timeout_ns", timeout) ||
	    (resource->is_several && forget_identity(object, resource))) {
		json_decref(object);
		return NULL;
	}
	return object;
}
