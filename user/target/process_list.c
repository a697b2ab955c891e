// SPDX-License-Identifier: GPL-2.0-only
/* Which processes there are, by /proc and by the cgroups' own lists. */
#include "target/process_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/kernel_file.h"
#include "base/parse.h"
#include "target/cgroup.h"
#include "target/foreign_file.h"

int process_list_add(struct process_list *list, pid_t pid)
{
	pid_t *pids = array_reserve(list->pids, list->count, &list->capacity, sizeof(*pids));

	if (!pids)
		return -ENOMEM;
	list->pids = pids;
	pids[list->count++] = pid;
	return 0;
}

int process_list_add_all(struct process_list *list)
{
	DIR *folder = opendir("/proc");
	const struct dirent *entry;
	int err = 0;

	if (!folder)
		return -errno;
	while (!err && (entry = readdir(folder))) {
		int64_t pid;

		if (!parse_integer(entry->d_name, 1, INT_MAX, &pid))
			err = process_list_add(list, (pid_t)pid);
	}
	closedir(folder);
	return err;
}

/* Processes may come and go meanwhile, and so may cgroups. */
static int add_members(struct process_list *list, const char *folder)
{
	char path[PATH_MAX];
	int err = 0, pid, fd;
	FILE *file;

	if (snprintf(path, sizeof(path), "%s/cgroup.procs", folder) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = foreign_file_open(AT_FDCWD, path, FOREIGN_ANYWHERE);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	file = fdopen(fd, "r");
	if (!file)
		return -ENOMEM;
	/* 0 stands for one outside of our PID namespace. */
	while (!err && fscanf(file, "%d", &pid) == 1)
		err = pid ? process_list_add(list, pid) : 0;
	fclose(file);
	/* A cgroup of threads has no processes of its own. */
	return err == -EOPNOTSUPP ? 0 : err;
}

int process_list_add_cgroup(struct process_list *list, const char *path)
{
	char folder[PATH_MAX], *paths[] = { folder, NULL };
	FTSENT *entry;
	uint64_t id;
	FTS *walk;
	int err = cgroup_find(path, folder, &id);

	if (err)
		return err;
	walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	if (!walk)
		return -errno;
	while (!err && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_D)
			err = add_members(list, entry->fts_path);
	}
	fts_close(walk);
	return err;
}

static int has_comm(pid_t pid, const char *comm)
{
	FILE *file = kernel_file_read("/proc/%d/comm", pid);
	char text[64] = "";

	if (!file)
		return 0;
	if (fgets(text, sizeof(text), file))
		text[strcspn(text, "\n")] = '\0';
	fclose(file);
	return !strcmp(text, comm);
}

void process_list_keep_comm(struct process_list *list, const char *comm)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (has_comm(list->pids[i], comm))
			list->pids[kept++] = list->pids[i];
	}
	list->count = kept;
}

void process_list_clear(struct process_list *list)
{
	free(list->pids);
	*list = (struct process_list){ 0 };
}
