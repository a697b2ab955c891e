// SPDX-License-Identifier: GPL-2.0-only
/* Opens the perf maps of processes. */
#include "target/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "target/foreign_file.h"
#include "target/process.h"

/* What clocks of files and of processes may differ by. */
#define CLOCK_TOLERANCE_NS 1000000000

/* In the /tmp of that root, which is taken over. Nothing may be mounted over it: that could be somebody else's file. */
static int open_below(int root, pid_t pid)
{
	int folder = root < 0 ? root : foreign_folder_open(root, "tmp"), fd;
	char name[64];

	if (root >= 0)
		close(root);
	if (folder < 0)
		return folder;
	snprintf(name, sizeof(name), "perf-%d.map", pid);
	fd = foreign_file_open(folder, name, FOREIGN_ONE_MOUNT);
	close(folder);
	return fd;
}

static bool is_process(const struct process *process, const struct scaler_component *generated)
{
	uint64_t start_ns = generated->key.process_start_ns;

	return !start_ns || start_ns - process->start_ns < PROCESS_START_STEP_NS;
}

static int open_map(const struct scaler_component *generated)
{
	struct process process;

	/* One that has ended has no root, also while nobody has waited for it. */
	if (process_inspect(&process, (pid_t)generated->tgid) || process.ended ||
	    !is_process(&process, generated))
		return open_below(foreign_root_open(getpid()), (pid_t)generated->tgid);
	return open_below(foreign_root_open((pid_t)generated->tgid), process.inner_pid);
}

/* Whether a file is what that process may have written. */
static int check(const struct stat *status, const struct scaler_component *generated)
{
	uint64_t booted_ns = clock_now_ns() + (uint64_t)clock_wall_ahead_ns() - clock_booted_ns();

	if (status->st_uid != generated->uid || status->st_nlink != 1)
		return -EPERM;
	if (clock_ns(&status->st_mtim) + CLOCK_TOLERANCE_NS < booted_ns + generated->key.process_start_ns)
		return -ESTALE;
	return 0;
}

int perf_map_open(const struct scaler_component *generated)
{
	struct stat status;
	int fd = open_map(generated), err;

	/* No regular file, a link, another mount's. */
	if (fd == -ENXIO || fd == -ELOOP || fd == -EXDEV)
		return -EPERM;
	if (fd < 0)
		return fd == -ESRCH ? -ENOENT : fd;
	err = fstat(fd, &status) ? -errno : check(&status, generated);
	if (!err)
		return fd;
	close(fd);
	return err;
}
