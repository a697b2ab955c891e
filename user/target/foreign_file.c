// SPDX-License-Identifier: GPL-2.0-only
/* Looks at a file before it opens it. */
#include "target/foreign_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/kernel_file.h"

/* Open only as a name: nothing of the file is touched. */
static int open_name(int folder, const char *path, enum foreign_reach reach)
{
	static const uint64_t resolves[] = {
		[FOREIGN_ANYWHERE] = RESOLVE_NO_MAGICLINKS,
		[FOREIGN_IN_ROOT] = RESOLVE_NO_MAGICLINKS | RESOLVE_IN_ROOT,
		[FOREIGN_NO_LINKS] = RESOLVE_NO_SYMLINKS,
		[FOREIGN_ONE_MOUNT] = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH | RESOLVE_NO_XDEV,
		[FOREIGN_KERNEL_LINK] = 0,
	};
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = resolves[reach] };
	int fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* What a descriptor is of cannot change any more. */
int foreign_file_reopen(int fd)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	if (!S_ISREG(status.st_mode))
		return -ENXIO;
	return kernel_file_open(O_RDONLY | O_NOCTTY | O_NONBLOCK, "/proc/self/fd/%d", fd);
}

int foreign_file_open(int folder, const char *path, enum foreign_reach reach)
{
	int name = open_name(folder, path, reach), fd;

	if (name < 0)
		return name;
	fd = foreign_file_reopen(name);
	close(name);
	return fd;
}

int foreign_folder_open(int root, const char *path)
{
	const struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS | RESOLVE_IN_ROOT,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

int foreign_root_open(pid_t pid)
{
	return kernel_file_open(O_PATH | O_DIRECTORY, "/proc/%d/root", pid);
}
