// SPDX-License-Identifier: GPL-2.0-only
/* bpf(BPF_LINK_CREATE) as include/uapi/linux/bpf.h has it since Linux 6.6. */
#include "probe/uprobe_multi.h"

#include <errno.h>
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
