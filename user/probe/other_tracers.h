/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * On which functions other tracers have probes that may be for returns. Such a link asks its program in its own process
 * only: in every other that has the breakpoint, by any tracer, the kernel probes the return unasked. It replaces the
 * return address then, which programs that unwind their stacks, or look at them, do not survive. Nor does the kernel, if two
 * such links are asked about one call and one process of theirs forks: Linux 6.13 to 6.18 free what they keep of it
 * twice (dup_return_instance() in kernel/events/uprobes.c). So a breakpoint of ours does no harm only where there is none of
 * theirs.
 */
#ifndef SCALER_PROBE_OTHER_TRACERS_H
#define SCALER_PROBE_OTHER_TRACERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* A file, however it was come by. */
struct file_identity {
	uint64_t device, inode; /* as stat() has them; both 0: not known */
	char *path;             /* owned; as the kernel has it; NULL: not known */
};

/* Of an open file. Returns 0 or a negative errno; the caller clears it in both cases. */
int file_identity_read(struct file_identity *identity, int fd);
void file_identity_clear(struct file_identity *identity);

/* Another tracer's probes on functions of one file that may be for returns, in a process of its own. */
struct other_link {
	struct file_identity file;
	uint32_t id;
	uint64_t *offsets; /* owned; in order */
	size_t count;
};

struct other_tracers {
	struct other_link *links; /* owned */
	size_t count;
	size_t capacity;
	uint32_t last_id; /* of all links that have been looked at */
};

/*
 * Looks at the links that are new; those of scaler-bpf do no harm. Not told by the kernel: links
 * before Linux 6.6 (perf events) and 6.8 (uprobe_multi), and probes without a BPF program. Returns 0 or a negative errno.
 */
int other_tracers_look(struct other_tracers *others);

/* Whether one of them would reach into other processes if these had a breakpoint at that offset. */
bool other_tracers_reach(const struct other_tracers *others, const struct file_identity *file,
			 uint64_t offset);

void other_tracers_clear(struct other_tracers *others);

#endif
