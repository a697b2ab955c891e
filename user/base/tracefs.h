/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's file system of tracepoints, which not every machine or container has mounted. */
#ifndef SCALER_BASE_TRACEFS_H
#define SCALER_BASE_TRACEFS_H

/*
 * Opens a file of it for reading, as "events/sched/sched_switch/id"; where it is not mounted, in a mount of our own that
 * nobody else sees and that ends with the descriptor. Returns the descriptor or -errno.
 */
int tracefs_open(const char *path);

/* The number of the tracepoint "syscalls/sys_enter_futex", as perf_event_open() takes it; or -errno. */
int tracefs_event_number(const char *event);

#endif
