// SPDX-License-Identifier: GPL-2.0-only
/* What a thread waited on, in a few words. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/socket_text.h"

/* "waits:lock of worker [123]", or the address where nothing tells the variable. */
static void print_futex(FILE *out, const struct report *report, const struct resource *resource)
{
	const struct scaler_thread *owner = resource->owner;
	char *place = resource->variable == PLACE_NONE ?
			      NULL :
			      text_format_place(report->places, resource->variable);
	char name[ESCAPE_FACTOR * sizeof(owner->comm) + 1];

	if (place)
		fputs(place, out);
	else
		fprintf(out, "0x%" PRIx64, (uint64_t)resource->recorded->id);
	if (owner)
		fprintf(out, " of %s [%" PRIu32 "]", escape_text(owner->comm, sizeof(owner->comm), name),
			owner->tid);
	free(place);
}

static void print_socket(FILE *out, const struct resource *resource)
{
	const struct scaler_socket *socket = resource->socket;
	char address[SOCKET_ADDRESS_SIZE];

	fputs(socket_protocol(socket), out);
	if (socket_has_addresses(socket)) {
		fprintf(out, " %s", socket_format_local(socket, address));
		if (socket_is_connected(socket))
			fprintf(out, " - %s", socket_format_remote(socket, address));
		return;
	}
	fprintf(out, ":[%" PRIu64 "]", (uint64_t)resource->recorded->id);
	if (socket && socket->peer)
		fprintf(out, " - [%" PRIu64 "]", (uint64_t)socket->peer);
}

/* As in /proc/PID/fd. */
static void print_path(FILE *out, const struct file_path *path)
{
	char *text = text_escape_name(path->text);

	fputs(text ?: "?", out);
	if (path->is_deleted)
		fputs(" (deleted)", out);
	free(text);
}

static void print_object(FILE *out, const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;
	uint32_t major = recorded->device >> 20, minor = recorded->device & 0xfffff;
	const char *kind = syscall_descriptor_name(recorded->descriptor);

	switch (recorded->descriptor) {
	case SCALER_DESCRIPTOR_SOCKET:
	case SCALER_DESCRIPTOR_UNIX:
		print_socket(out, resource);
		break;
	case SCALER_DESCRIPTOR_PIPE:
	case SCALER_DESCRIPTOR_EVENTFD:
		fprintf(out, "%s:[%" PRIu64 "]", kind, (uint64_t)recorded->id);
		break;
	case SCALER_DESCRIPTOR_TTY:
	case SCALER_DESCRIPTOR_CHARACTER:
	case SCALER_DESCRIPTOR_BLOCK:
		fprintf(out, "%s %" PRIu32 ":%" PRIu32, kind, major, minor);
		break;
	case SCALER_DESCRIPTOR_REGULAR:
	case SCALER_DESCRIPTOR_DIRECTORY:
		fprintf(out, "%s %" PRIu32 ":%" PRIu32 " inode %" PRIu64, kind, major, minor,
			(uint64_t)recorded->id);
		break;
	default:
		fputs(kind, out);
	}
}

static void print_file(FILE *out, const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;

	if (recorded->number != SCALER_NO_DESCRIPTOR)
		fprintf(out, "fd %" PRId32 " ", recorded->number);
	if (resource->path)
		print_path(out, resource->path);
	else
		print_object(out, resource);
	if (recorded->flags & SCALER_RESOURCE_SET)
		fprintf(out, " of epoll %" PRId32, recorded->set);
	if (recorded->flags & SCALER_RESOURCE_RING) {
		fputs(" of io_uring", out);
		if (recorded->set != SCALER_NO_DESCRIPTOR)
			fprintf(out, " %" PRId32, recorded->set);
	}
}

static void print_kind(FILE *out, const struct report *report, const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;

	switch (recorded->kind) {
	case SCALER_RESOURCE_FUTEX:
		print_futex(out, report, resource);
		break;
	case SCALER_RESOURCE_FILE:
		print_file(out, resource);
		break;
	case SCALER_RESOURCE_FILES:
		if (recorded->number)
			fprintf(out, "%" PRId32 " descriptors", recorded->number);
		else
			fputs("descriptors", out);
		break;
	case SCALER_RESOURCE_CHILD:
		fputs("child", out);
		if (recorded->number > 0)
			fprintf(out, " %" PRId32, recorded->number);
		break;
	case SCALER_RESOURCE_FUTEXES:
		print_futex(out, report, resource);
		fprintf(out, " or %" PRId32 " other%s", recorded->number - 1,
			recorded->number == 2 ? "" : "s");
		break;
	case SCALER_RESOURCE_AIO:
		fprintf(out, "aio 0x%" PRIx64, (uint64_t)recorded->id);
		break;
	case SCALER_RESOURCE_STOPPED:
	case SCALER_RESOURCE_TRACED:
	case SCALER_RESOURCE_FROZEN:
		fputs(text_resource_kind(recorded->kind), out);
		break;
	case SCALER_RESOURCE_SYSV:
		fprintf(out, "id %" PRId32, recorded->number);
		break;
	}
}

const char *text_resource_kind(enum scaler_resource_kind kind)
{
	static const char *const names[SCALER_RESOURCE_KINDS] = {
		[SCALER_RESOURCE_NONE] = "",
		[SCALER_RESOURCE_FUTEX] = "futex",
		[SCALER_RESOURCE_FILE] = "file",
		[SCALER_RESOURCE_FILES] = "descriptors",
		[SCALER_RESOURCE_CHILD] = "child",
		[SCALER_RESOURCE_SYSV] = "id",
		[SCALER_RESOURCE_FUTEXES] = "futexes",
		[SCALER_RESOURCE_AIO] = "aio",
		[SCALER_RESOURCE_STOPPED] = "stopped",
		[SCALER_RESOURCE_TRACED] = "stopped by a debugger",
		[SCALER_RESOURCE_FROZEN] = "frozen cgroup",
	};

	return kind < SCALER_RESOURCE_KINDS ? names[kind] : "";
}

/* "pipe (several)", "tcp 127.0.0.1:80 (several)"; a variable and a file's path have a name, however many there are. */
static void print_several(FILE *out, const struct report *report, const struct resource *resource)
{
	const struct scaler_resource *recorded = resource->recorded;
	enum socket_side side = socket_side(resource->socket);
	char address[SOCKET_ADDRESS_SIZE];

	if (recorded->kind == SCALER_RESOURCE_FUTEX && resource->variable != PLACE_NONE) {
		print_futex(out, report, resource);
		return;
	}
	if (resource->path)
		print_path(out, resource->path);
	else if (side != SOCKET_SIDE_UNKNOWN && socket_has_addresses(resource->socket))
		fprintf(out, "%s %s", socket_protocol(resource->socket),
			side == SOCKET_SIDE_SERVER ? socket_format_local(resource->socket, address) :
						     socket_format_remote(resource->socket, address));
	else
		fputs(recorded->kind == SCALER_RESOURCE_FILE ? syscall_descriptor_name(recorded->descriptor) :
							       text_resource_kind(recorded->kind),
		      out);
	fputs(resource->path ? "" : " (several)", out);
}

char *text_format_resource(const struct report *report, const struct resource *resource)
{
	char *text = NULL, timeout[UNITS_SIZE];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (resource->is_several)
		print_several(out, report, resource);
	else
		print_kind(out, report, resource);
	if (resource->timeout_ns)
		fprintf(out, "%s%s", resource->recorded->kind ? ", at most " : "",
			units_format_time(resource->timeout_ns, timeout));
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
