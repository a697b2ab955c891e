/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process or thread is, to tell what cannot be traced or only in part. */
#ifndef SCALER_TARGET_PROCESS_H
#define SCALER_TARGET_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid;          /* of the process that the thread belongs to */
	pid_t inner_pid;    /* the same in its own namespace */
	pid_t tracer;       /* of the process that traces it by ptrace; 0: none does */
	uint64_t start_ns;  /* when it began, after the machine; up to PROCESS_START_STEP_NS too early */
	bool ended;         /* nothing of it is left but its exit status, which its parent has not read */
	bool kernel_thread; /* makes no system calls */
};

/* As /proc/PID/stat has it. */
#define PROCESS_START_STEP_NS 10000000

/* Looks at the process or thread with that number. Returns 0, -ESRCH, or another negative errno. */
int process_inspect(struct process *process, pid_t tid);

/* What the scheduler does with a thread. */
struct thread_activity {
	char state; /* as proc(5) has it: 'R' runs or waits for a CPU, 'D' waits for a disk, 'S' sleeps, ... */
	uint64_t ran_ns; /* on CPUs, since it began */
	uint64_t turns;  /* how often it got one */
};

/* Returns 0, -ESRCH when it is gone, or another negative errno. */
int thread_activity_read(struct thread_activity *activity, pid_t tid);

/* How many threads the process has, 0 if it is gone; and how many all processes have. */
uint64_t process_count_threads(pid_t pid);
uint64_t process_count_all_threads(void);

#endif
