// SPDX-License-Identifier: GPL-2.0-only
/* bpf(BPF_LINK_CREATE) as include/uapi/linux/bpf.h has it since Linux 6.6, and perf_event_open(). */
#include "probe/uprobe_link.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include "probe/features.h"

/* The beginnings of union bpf_attr, as far as these kinds of link have it. */
struct multi_attributes {
	uint32_t program_fd;
	uint32_t target_fd;
	uint32_t attach_type;
	uint32_t flags;
	uint64_t path;
	uint64_t offsets;
	uint64_t reference_counter_offsets;
	uint64_t cookies;
	uint32_t count;
	uint32_t probe_flags;
	uint32_t pid;
	uint32_t zero;
};
_Static_assert(sizeof(struct multi_attributes) == 64, "no padding");

struct event_attributes {
	uint32_t program_fd;
	uint32_t target_fd;
	uint32_t attach_type;
	uint32_t flags;
	uint64_t cookie;
};
_Static_assert(sizeof(struct event_attributes) == 24, "no padding");

enum uprobe_link_kind uprobe_link_plain(void)
{
	return features_have(FEATURE_UPROBE_MULTI) ? UPROBE_LINK_MULTI : UPROBE_LINK_EVENT;
}

static int create(void *attributes, size_t size)
{
	long fd = syscall(SYS_bpf, BPF_LINK_CREATE, attributes, size);

	return fd < 0 ? -errno : (int)fd;
}

static int create_multi(const struct uprobe_link *link, const char *path)
{
	struct multi_attributes attributes = {
		.program_fd = (uint32_t)link->program_fd,
		.attach_type = link->kind,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)link->offsets,
		.cookies = (uintptr_t)link->cookies,
		.count = link->count,
		.pid = (uint32_t)link->pid,
	};

	return create(&attributes, sizeof(attributes));
}

/* The kernel's number for the source of events at instructions, or a negative errno. */
static int event_source(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "re");
	char line[16] = "";
	int type;

	if (!file)
		return -errno;
	if (!fgets(line, sizeof(line), file) || sscanf(line, "%d", &type) != 1)
		type = -EINVAL;
	fclose(file);
	return type;
}

/* In all threads of the process, or in all processes: whatever CPU is named there. */
static int open_event(const struct uprobe_link *link, const char *path)
{
	struct perf_event_attr attributes = {
		.size = sizeof(attributes),
		.config1 = (uintptr_t)path,
		.config2 = *link->offsets,
	};
	int type = event_source(), fd;

	if (type < 0)
		return type;
	attributes.type = (uint32_t)type;
	fd = (int)syscall(SYS_perf_event_open, &attributes, link->pid ?: -1, link->pid ? -1 : 0, -1,
			  PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The link keeps the event. */
static int create_event(const struct uprobe_link *link, const char *path)
{
	struct event_attributes attributes = {
		.program_fd = (uint32_t)link->program_fd,
		.attach_type = BPF_PERF_EVENT,
		.cookie = *link->cookies,
	};
	int event = open_event(link, path), fd;

	if (event < 0)
		return event;
	attributes.target_fd = (uint32_t)event;
	fd = create(&attributes, sizeof(attributes));
	close(event);
	return fd;
}

int uprobe_link_create(const struct uprobe_link *link)
{
	char path[64];

	/* By its descriptor, as the path may be another mount namespace's. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", link->file_fd);
	return link->kind == UPROBE_LINK_EVENT ? create_event(link, path) : create_multi(link, path);
}
