// SPDX-License-Identifier: GPL-2.0-only
/* Control groups of the v2 hierarchy. */
#include "target/cgroup.h"

#include <errno.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* The ID of a cgroup is its folder's inode number, on 64-bit machines. */
static int folder_id(const char *folder, uint64_t *id)
{
	struct statfs system;
	struct stat status;

	if (statfs(folder, &system) || stat(folder, &status))
		return -errno;
	if (system.f_type != CGROUP2_SUPER_MAGIC || !S_ISDIR(status.st_mode))
		return -ENOENT;
	*id = status.st_ino;
	return 0;
}

int cgroup_find(const char *path, char folder[PATH_MAX], uint64_t *id)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	int err = -ENAMETOOLONG, mount_err = -ENODEV;
	char strings[PATH_MAX + 1024];
	struct mntent entry;

	if (snprintf(folder, PATH_MAX, "%s", path) < PATH_MAX)
		err = folder_id(folder, id);
	while (err && mounts && getmntent_r(mounts, &entry, strings, sizeof(strings))) {
		if (strcmp(entry.mnt_type, "cgroup2"))
			continue;
		mount_err = -ENOENT;
		if (snprintf(folder, PATH_MAX, "%s/%s", entry.mnt_dir, path) < PATH_MAX)
			err = folder_id(folder, id);
	}
	if (mounts)
		endmntent(mounts);
	if (err == -ENOENT || err == -ENOTDIR)
		err = mount_err;
	return err;
}
