/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is traced, as user space asks for it and the kernel side decides it for each thread it meets. */
#ifndef SCALER_TARGET_H
#define SCALER_TARGET_H

#include <linux/types.h>

enum scaler_target_kind {
	SCALER_TARGET_SYSTEM,    /* every thread but the tracer's own */
	SCALER_TARGET_PROCESSES, /* the processes in the map target_ids */
	SCALER_TARGET_THREADS,   /* the threads in the map target_ids */
	SCALER_TARGET_CGROUP,    /* those in one cgroup and the ones below it */
};

/* The value of an ID in target_ids. */
enum scaler_target_begin {
	SCALER_BEGIN_AT_ONCE,
	SCALER_BEGIN_AT_EXEC, /* the forked child of "-- COMMAND": nothing counts before its execve */
};

/* Which tasks that the recording did not begin with are traced, each with the ones before it. */
enum scaler_follow {
	SCALER_FOLLOW_NONE,
	SCALER_FOLLOW_THREADS,  /* new threads of traced processes */
	SCALER_FOLLOW_CHILDREN, /* the processes that they create, and others that become what was asked for */
};

#define SCALER_TARGET_COMM_SIZE 16

struct scaler_target {
	__u64 cgroup;                       /* its ID in the v2 hierarchy */
	__u32 kind;                         /* enum scaler_target_kind */
	__u32 follow;                       /* enum scaler_follow */
	char comm[SCALER_TARGET_COMM_SIZE]; /* only processes whose main thread has this name; "": any */
};

#endif
