/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernels may lack, and recordings do without: each can be left out where it is there, to try what is done then. */
#ifndef SCALER_PLAN_FEATURE_NAMES_H
#define SCALER_PLAN_FEATURE_NAMES_H

#include <stddef.h>

enum feature {
	FEATURE_SWITCH_STATE, /* the sched_switch tracepoint passes the state that the outgoing task is left in */
	FEATURE_FIND_VMA,     /* BPF programs can look up the mapping that an address lies in */
	FEATURE_USER_MEMORY,  /* they can sleep, and read the memory of other tasks meanwhile */
	FEATURE_UPROBE_MULTI, /* one link can probe many functions of a file */
	FEATURE_BTF_SYSCALLS, /* BTF tracepoints of system calls */
	FEATURE_RAW_SYSCALLS, /* those tracepoints at all */
	FEATURE_KPROBE_MULTI, /* one link can probe many of the kernel's functions */
	FEATURE_TASK_STORAGE, /* BPF programs can keep data with a task */
	FEATURE_TASK_WORK,    /* they can have work done in a task before it is back in user space */
	FEATURE_COUNT,
};

#define FEATURE_NAMES                                                                                        \
	"switch-state, find-vma, user-memory, uprobe-multi, "                                                \
	"btf-syscalls, raw-syscalls, kprobe-multi, task-storage, "                                           \
	"task-work"

const char *feature_name(enum feature feature);

/* By name; FEATURE_COUNT: there is none. */
enum feature feature_find(const char *name, size_t length);

#endif
