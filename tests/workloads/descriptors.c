// SPDX-License-Identifier: GPL-2.0-only
/*
 * descriptors: one read() system call on each kind of descriptor, twice on the second kind, and so on
 * in the order of the table below, so that the counts tell the kinds apart. Whether a read succeeds
 * does not matter; none blocks. With "compat" three getpid calls through the 32-bit entry at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int open_regular(void)
{
	return fileno(tmpfile());
}

static int open_directory(void)
{
	return open("/", O_RDONLY | O_DIRECTORY);
}

static int open_character(void)
{
	return open("/dev/zero", O_RDONLY);
}

static int open_terminal(void)
{
	return posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
}

static int open_pipe(void)
{
	int ends[2];

	return pipe2(ends, O_NONBLOCK) ? -1 : ends[0];
}

static int open_socket(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
}

static int open_unix(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) ? -1 : ends[0];
}

static int open_eventfd(void)
{
	return eventfd(0, EFD_NONBLOCK);
}

static int open_timerfd(void)
{
	return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
}

static int open_signalfd(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	return signalfd(-1, &signals, SFD_NONBLOCK);
}

static int open_epoll(void)
{
	return epoll_create1(0);
}

static int open_inotify(void)
{
	return inotify_init1(IN_NONBLOCK);
}

static int open_none(void)
{
	return 1000000;
}

#if defined(__x86_64__)
static void call_compat(void)
{
	long result;

	/* The 32-bit entry clobbers r8 to r11 in some kernels. */
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "r8", "r9", "r10", "r11", "memory");
	if (result != getpid())
		exit(1);
}
#endif

int main(int argc, char **argv)
{
	static int (*const openers[])(void) = {
		open_regular, open_directory, open_character, open_terminal, open_pipe,
		open_socket,  open_unix,      open_eventfd,   open_timerfd,  open_signalfd,
		open_epoll,   open_inotify,   open_none,
	};
	char buffer[64];

	for (size_t kind = 0; kind < sizeof(openers) / sizeof(openers[0]); kind++) {
		int fd = openers[kind]();

		if (fd < 0)
			return 1;
		/* Through syscall(), which libc calls nowhere by itself for read. */
		for (size_t i = 0; i <= kind; i++)
			syscall(SYS_readv, fd, &(struct {
					void *base;
					size_t bytes;
				}){ buffer, 64 },
				1);
	}
#if defined(__x86_64__)
	for (int i = 0; i < 3 && argc > 1 && !strcmp(argv[1], "compat"); i++)
		call_compat();
#endif
	return 0;
}
