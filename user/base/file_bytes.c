// SPDX-License-Identifier: GPL-2.0-only
/* Reads on until all is there, or the file ends. */
#include "base/file_bytes.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t file_bytes_read(int fd, uint64_t offset, void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)bytes + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

int file_bytes_stat(int fd, struct stat *status)
{
	return syscall(SYS_fstat, fd, status) ? -errno : 0;
}
