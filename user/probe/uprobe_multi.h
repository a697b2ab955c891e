/* SPDX-License-Identifier: GPL-2.0-only */
/* One link for probes on many functions of a file: what libbpf calls uprobe_multi from 1.3 on. Linux 6.6. */
#ifndef SCALER_PROBE_UPROBE_MULTI_H
#define SCALER_PROBE_UPROBE_MULTI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* enum bpf_attach_type, of older kernels' headers not known: BPF_TRACE_UPROBE_MULTI, BPF_TRACE_UPROBE_SESSION. */
enum uprobe_multi_kind {
	UPROBE_MULTI_ENTRY = 48,
	UPROBE_MULTI_SESSION = 57, /* entry and, as the program decides there, return; Linux 6.13 */
};

struct uprobe_multi {
	enum uprobe_multi_kind kind; /* the program's expected attach type */
	int program_fd;
	int file_fd;             /* of the file, which may be closed thereafter */
	const uint64_t *offsets; /* in the file */
	const uint64_t *cookies;
	uint32_t count;
	pid_t pid; /* 0: every process that maps the file */
};

/*
 * Returns the link's descriptor, to be closed to detach; else a negative errno, of which -UPROBE_MULTI_REFUSED says that
 * one of the instructions cannot be probed, as far as some process has them mapped.
 */
int uprobe_multi_attach(const struct uprobe_multi *probes);

/* Closes links side by side: for each the kernel waits until no CPU runs its program, some 50 ms. */
void uprobe_multi_detach(const int *links, size_t count);

/* include/linux/errno.h: ENOTSUPP. */
#define UPROBE_MULTI_REFUSED 524

#endif
