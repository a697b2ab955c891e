// SPDX-License-Identifier: GPL-2.0-only
/* Reads what a BPF iterator hands out as an array. */
#include "stream/iterator.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <unistd.h>

/* A thread has changed so fast that the kernel side could not read it; it can, the next time. */
static bool comes_again(int error)
{
	if (error == EAGAIN)
		sched_yield();
	return error == EAGAIN || error == EINTR;
}

int iterator_read(int fd, size_t item_bytes, int (*take)(void *context, const void *item), void *context)
{
	_Alignas(8) char some[32 * ITERATOR_ITEM_BYTES_MAX];
	size_t room = sizeof(some) / item_bytes * item_bytes;
	ssize_t got = 1;
	int err = 0;

	if (fd < 0)
		return fd;
	while (got && !err) {
		/* The kernel hands out whole ones. */
		got = read(fd, some, room);
		if (got < 0 && !comes_again(errno))
			err = -errno;
		for (ssize_t at = 0; at < got && !err; at += (ssize_t)item_bytes)
			err = take(context, some + at);
	}
	close(fd);
	return err;
}
