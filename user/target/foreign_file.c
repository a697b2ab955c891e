// SPDX-License-Identifier: GPL-2.0-only
/* Looks at a file before it opens it. */
#include "target/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Open only as a name: nothing of the file is touched. */
static int open_name(int folder, const char *path, enum foreign_links links)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS,
	};
	int fd;

	if (links == FOREIGN_LINKS_WITHIN)
		how.resolve |= RESOLVE_IN_ROOT;
	if (links == FOREIGN_LINKS_NONE)
		how.resolve |= RESOLVE_NO_SYMLINKS;
	fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

/* What the name is of cannot change any more. */
static int open_named(int name)
{
	struct stat status;
	char path[32];
	int fd;

	if (fstat(name, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -ENXIO;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

int foreign_file_open(int folder, const char *path, enum foreign_links links)
{
	int name = open_name(folder, path, links), fd;

	if (name < 0)
		return name;
	fd = open_named(name);
	close(name);
	return fd;
}
