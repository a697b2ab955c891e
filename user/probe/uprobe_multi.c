// SPDX-License-Identifier: GPL-2.0-only
/* bpf(BPF_LINK_CREATE) as include/uapi/linux/bpf.h has it since Linux 6.6. */
#include "probe/uprobe_multi.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

/* The beginning of union bpf_attr, as far as this kind of link has it. */
struct link_create {
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
_Static_assert(sizeof(struct link_create) == 64, "no padding");

int uprobe_multi_attach(const struct uprobe_multi *probes)
{
	char path[64];
	struct link_create attributes = {
		.program_fd = (uint32_t)probes->program_fd,
		.attach_type = probes->kind,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)probes->offsets,
		.cookies = (uintptr_t)probes->cookies,
		.count = probes->count,
		.pid = (uint32_t)probes->pid,
	};
	long fd;

	/* By its descriptor, as the path may be another mount namespace's. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", probes->file_fd);
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof(attributes));
	return fd < 0 ? -errno : (int)fd;
}

#define CLOSERS 32

struct closing {
	const int *links;
	size_t count;
	size_t next; /* the first that nobody has taken */
};

static void *close_some(void *data)
{
	struct closing *closing = data;

	for (;;) {
		size_t i = __atomic_fetch_add(&closing->next, 1, __ATOMIC_RELAXED);

		if (i >= closing->count)
			return NULL;
		close(closing->links[i]);
	}
}

void uprobe_multi_detach(const int *links, size_t count)
{
	struct closing closing = { links, count, 0 };
	pthread_t threads[CLOSERS];
	size_t started = 0;

	/* This thread is one of them, and the only one if there can be no others. */
	while (started < CLOSERS && started + 1 < count &&
	       !pthread_create(&threads[started], NULL, close_some, &closing))
		started++;
	close_some(&closing);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}
