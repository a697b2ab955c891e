/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes there are, of the whole system, of a cgroup, with a name. */
#ifndef SCALER_TARGET_PROCESS_LIST_H
#define SCALER_TARGET_PROCESS_LIST_H

#include <stddef.h>
#include <sys/types.h>

struct process_list {
	pid_t *pids; /* owned */
	size_t count;
	size_t capacity;
};

/* Each returns 0 or a negative errno; what was added stays. The caller clears the list. */

int process_list_add(struct process_list *list, pid_t pid);

/* Adds every process. */
int process_list_add_all(struct process_list *list);

/* Adds the processes of a cgroup, given as for cgroup_find(), and of those below it. */
int process_list_add_cgroup(struct process_list *list, const char *path);

/* Keeps those with that name. */
void process_list_keep_comm(struct process_list *list, const char *comm);

void process_list_clear(struct process_list *list);

#endif
