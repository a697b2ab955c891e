// SPDX-License-Identifier: GPL-2.0-only
/* Passes signals on through a pipe, and counts what stays in it. */
#include "control/signal_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

/* As if nobody had blocked it. What is recorded is lost, and the kernel takes the probes away. */
static void __attribute__((noreturn)) end_by(int number)
{
	sigset_t signals;

	log_error("a second signal (%s) ends the tracer before it is done", strsignal(number));
	signal(number, SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, number);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	raise(number);
	_exit(128 + number);
}

static bool is_untaken(const struct signal_watch *watch)
{
	int bytes = 0;

	return !ioctl(watch->fd, FIONREAD, &bytes) && bytes;
}

static void pass_on(struct signal_watch *watch, uint64_t *last_ns)
{
	struct signalfd_siginfo info;
	struct signal_taken taken;
	uint64_t now_ns = clock_now_ns();

	if (read(watch->signal_fd, &info, sizeof(info)) != sizeof(info))
		return;
	if (is_untaken(watch) && now_ns - *last_ns >= SIGNAL_WATCH_GAP_NS)
		end_by((int)info.ssi_signo);
	*last_ns = now_ns;
	taken = (struct signal_taken){ (int)info.ssi_signo, info.ssi_code };
	/* Who is full of signals has enough of them. */
	if (write(watch->write_fd, &taken, sizeof(taken)) < 0 && errno != EAGAIN)
		log_error("cannot pass a signal on: %s", strerror(errno));
}

static void run(void *context)
{
	struct signal_watch *watch = context;
	struct pollfd fds[] = {
		{ .fd = watch->signal_fd, .events = POLLIN },
		{ .fd = watch->stop_fd, .events = POLLIN },
	};
	uint64_t last_ns = 0;

	while (!fds[1].revents) {
		if (poll(fds, 2, -1) > 0 && fds[0].revents)
			pass_on(watch, &last_ns);
	}
}

int signal_watch_open(struct signal_watch *watch, const sigset_t *signals)
{
	int ends[2], err;

	*watch = (struct signal_watch){ .fd = -1, .write_fd = -1, .signal_fd = -1, .stop_fd = -1 };
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	watch->fd = ends[0];
	watch->write_fd = ends[1];
	watch->signal_fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
	watch->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (watch->signal_fd < 0 || watch->stop_fd < 0 || sigprocmask(SIG_BLOCK, signals, NULL))
		return -errno;
	err = worker_start(&watch->worker, run, watch);
	watch->is_running = !err;
	return err;
}

void signal_watch_close(struct signal_watch *watch)
{
	const int fds[] = { watch->fd, watch->write_fd, watch->signal_fd, watch->stop_fd };

	if (watch->is_running && !eventfd_write(watch->stop_fd, 1))
		worker_stop(&watch->worker);
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

int signal_watch_take(struct signal_watch *watch, struct signal_taken *taken)
{
	return read(watch->fd, taken, sizeof(*taken)) == sizeof(*taken);
}
