/* SPDX-License-Identifier: GPL-2.0-only */
/* Links from a BPF program to instructions of a file. */
#ifndef SCALER_PROBE_UPROBE_LINK_H
#define SCALER_PROBE_UPROBE_LINK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* By enum bpf_attach_type, which the program was loaded for: older kernels' headers have not both. */
enum uprobe_link_kind {
	UPROBE_LINK_EVENT = 0,  /* one instruction by a perf event */
	UPROBE_LINK_MULTI = 48, /* many (BPF_TRACE_UPROBE_MULTI); Linux 6.6 */
};

struct uprobe_link {
	enum uprobe_link_kind kind;
	int program_fd;
	int file_fd;             /* of the file, which may be closed thereafter */
	const uint64_t *offsets; /* in the file */
	const uint64_t *cookies;
	uint32_t count; /* 1 for a perf event */
	pid_t pid;      /* 0: every process that maps the file */
};

/* As this kernel has it. */
enum uprobe_link_kind uprobe_link_plain(void);

/*
 * Returns the link's descriptor, to be closed to detach; else a negative errno, of which -UPROBE_LINK_REFUSED says that
 * one of the instructions cannot be probed, as far as some process has them mapped.
 */
int uprobe_link_create(const struct uprobe_link *link);

/* include/linux/errno.h: ENOTSUPP. */
#define UPROBE_LINK_REFUSED 524

#endif
