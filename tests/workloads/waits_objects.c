// SPDX-License-Identifier: GPL-2.0-only
/* The ways of waiting on objects of all kinds that a descriptor stands for. */
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>
#include "waits.h"

/* Both ends are the same. */
static void use(int fd)
{
	fds[0] = fds[1] = fd;
	if (fd < 0)
		exit(1);
}

static void open_queue(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 1 };
	char name[40];

	snprintf(name, sizeof(name), "/scaler-waits-%d", getpid());
	use(mq_open(name, O_RDWR | O_CREAT, 0600, &attributes));
	mq_unlink(name);
}

static void receive(void)
{
	char byte;

	if (mq_receive(fds[0], &byte, 1, NULL) != 1)
		exit(1);
}

static void send_one(void)
{
	mq_send(fds[1], "", 1, 0);
}

static void open_timer(void)
{
	use(timerfd_create(CLOCK_MONOTONIC, 0));
}

static void wait_timer(void)
{
	const struct itimerspec once = { .it_value = { pause_ns / 1000000000, pause_ns % 1000000000 } };

	timerfd_settime(fds[0], 0, &once, NULL);
	read_some();
}

static void open_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	use(signalfd(-1, &signals, 0));
}

static void read_signal(void)
{
	struct signalfd_siginfo info;

	if (read(fds[0], &info, sizeof(info)) != sizeof(info))
		exit(1);
}

static void send_signal(void)
{
	kill(getpid(), SIGUSR1);
}

static char folder[] = "/tmp/scaler-waits-XXXXXX";

static void watch_folder(void)
{
	use(inotify_init1(0));
	if (!mkdtemp(folder) || inotify_add_watch(fds[0], folder, IN_DELETE_SELF) < 0)
		exit(1);
}

static void read_event(void)
{
	char events[4096];

	if (read(fds[0], events, sizeof(events)) <= 0)
		exit(1);
}

static void remove_folder(void)
{
	rmdir(folder);
}

static void open_terminal(void)
{
	struct termios settings;

	fds[1] = posix_openpt(O_RDWR | O_NOCTTY);
	if (fds[1] < 0 || unlockpt(fds[1]))
		exit(1);
	fds[0] = open(ptsname(fds[1]), O_RDWR | O_NOCTTY);
	if (fds[0] < 0 || tcgetattr(fds[0], &settings))
		exit(1);
	cfmakeraw(&settings);
	settings.c_cc[VMIN] = 8;
	tcsetattr(fds[0], TCSANOW, &settings);
}

static void open_file(void)
{
	static const char content[1 << 20];
	FILE *file = tmpfile();

	use(file ? dup(fileno(file)) : -1);
	if (write(fds[1], content, sizeof(content)) != sizeof(content))
		exit(1);
}

static void sync_file(void)
{
	if (fsync(fds[0]))
		exit(1);
}

const struct way object_ways[] = {
	{ "queue", open_queue, receive, nothing, send_one },
	{ "timerfd", open_timer, wait_timer, NULL, NULL },
	{ "signalfd", open_signals, read_signal, nothing, send_signal },
	{ "inotify", watch_folder, read_event, nothing, remove_folder },
	{ "terminal", open_terminal, read_some, nothing, write_some },
	{ "sync", open_file, sync_file, NULL, NULL },
	{ NULL, NULL, NULL, NULL, NULL },
};
