/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions other tracers have probes on. A link for returns asks its program in its own process only; in every
 * other that has the breakpoint, whoever set it, the kernel probes the return unasked. So two tracers, each of which does
 * no harm by itself, may do harm together.
 */
#ifndef SCALER_PROBE_OTHER_TRACERS_H
#define SCALER_PROBE_OTHER_TRACERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/library_kernel.h"

/* A file, however it was come by. */
struct file_identity {
	uint64_t device, inode; /* as stat() has them; both 0: not known */
	char *path;             /* owned; as the kernel has it; NULL: not known */
};

/* Of an open file. Returns 0 or a negative errno; the caller clears it in both cases. */
int file_identity_read(struct file_identity *identity, int fd);
void file_identity_clear(struct file_identity *identity);

/* Another tracer's probes on functions of one file. */
struct other_link {
	struct file_identity file;
	uint32_t id;
	bool everywhere;   /* in every process */
	uint64_t *offsets; /* owned; in order */
	size_t count;
};

struct other_tracers {
	struct other_link *links; /* owned */
	size_t count;
	size_t capacity;
	uint32_t last_id; /* of all links that have been looked at */
	bool is_locked;   /* between begin and end */
	int lock_fd;
};

/*
 * Before probes are attached: waits for other scaler-bpf processes to be done with that, for two seconds at most, and
 * looks. Returns 0 or a negative errno; the caller calls end in both cases, which may be called twice.
 */
int other_tracers_begin(struct other_tracers *others, const struct library_kernel *kernel);
void other_tracers_end(struct other_tracers *others);

/*
 * Looks at the links that are new; those with a program of this kernel side's are its own. Not told by the kernel: links
 * before Linux 6.6 (perf events) and 6.8 (uprobe_multi), and probes without a BPF program. Returns 0 or a negative errno.
 */
int other_tracers_look(struct other_tracers *others, const struct library_kernel *kernel);

/* Whether one of them probes the function at that offset; everywhere: those that do so in every process do not count. */
bool other_tracers_probe(const struct other_tracers *others, const struct file_identity *file,
			 uint64_t offset, bool everywhere);

void other_tracers_clear(struct other_tracers *others);

#endif
