// SPDX-License-Identifier: GPL-2.0-only
/* What ends a recording: a signal, its duration, or the end of everything that is traced. */
#include "control/ending.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

int ending_open(struct ending *ending)
{
	sigset_t signals;

	*ending = (struct ending){ .signal_fd = -1 };
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &signals, &ending->mask_before))
		return -errno;
	ending->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
	return ending->signal_fd < 0 ? -errno : 0;
}

int ending_watch_process(struct ending *ending, pid_t pid)
{
	int *fds = reallocarray(ending->process_fds, ending->process_count + 1, sizeof(*fds));
	int fd;

	if (!fds)
		return -ENOMEM;
	ending->process_fds = fds;
	fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return -errno;
	fds[ending->process_count++] = fd;
	return 0;
}

int ending_watch_command(struct ending *ending, pid_t pid)
{
	ending->command_pid = pid;
	return ending_watch_process(ending, pid);
}

/* Returns true if the signal ends the recording at once. */
static bool handle_signal(struct ending *ending, int *seen)
{
	struct signalfd_siginfo info;

	if (read(ending->signal_fd, &info, sizeof(info)) != sizeof(info))
		return false;
	if (!ending->command_pid || ++*seen > 1)
		return true;
	if (info.ssi_code != SI_KERNEL)
		kill(ending->command_pid, (int)info.ssi_signo);
	return false;
}

static int open_timer(uint64_t duration_ns)
{
	const struct itimerspec when = { .it_value = {
						 .tv_sec = (time_t)(duration_ns / 1000000000),
						 .tv_nsec = (long)(duration_ns % 1000000000),
					 } };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	/* A time of 0 leaves the timer unarmed, so that it never ends the wait. */
	if (timerfd_settime(fd, 0, &when, NULL)) {
		int err = -errno;

		close(fd);
		return err;
	}
	return fd;
}

/* fds: the signals, the timer, then one per process; -1 once that process has ended. */
static int wait_loop(struct ending *ending, struct pollfd *fds)
{
	size_t alive = ending->process_count;
	int seen = 0;

	for (;;) {
		if (poll(fds, 2 + ending->process_count, -1) < 0 && errno != EINTR)
			return -errno;
		if (fds[0].revents && handle_signal(ending, &seen))
			return 0;
		if (fds[1].revents)
			return 0;
		for (size_t i = 2; i < 2 + ending->process_count; i++) {
			if (fds[i].fd >= 0 && fds[i].revents) {
				fds[i].fd = -1;
				alive--;
			}
		}
		if (ending->process_count && !alive)
			return 0;
	}
}

int ending_wait(struct ending *ending, uint64_t duration_ns)
{
	struct pollfd *fds = calloc(2 + ending->process_count, sizeof(*fds));
	int timer_fd, err;

	if (!fds)
		return -ENOMEM;
	timer_fd = open_timer(duration_ns);
	if (timer_fd < 0) {
		free(fds);
		return timer_fd;
	}
	fds[0] = (struct pollfd){ .fd = ending->signal_fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = timer_fd, .events = POLLIN };
	for (size_t i = 0; i < ending->process_count; i++)
		fds[2 + i] = (struct pollfd){ .fd = ending->process_fds[i], .events = POLLIN };
	err = wait_loop(ending, fds);
	close(timer_fd);
	free(fds);
	return err;
}

void ending_close(struct ending *ending)
{
	for (size_t i = 0; i < ending->process_count; i++)
		close(ending->process_fds[i]);
	free(ending->process_fds);
	if (ending->signal_fd >= 0)
		close(ending->signal_fd);
	*ending = (struct ending){ .signal_fd = -1 };
}
