// SPDX-License-Identifier: GPL-2.0-only
/* What ends a recording: a signal, its duration, or the end of everything that is traced. */
#include "control/ending.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"

#define THREAD_PIDFD O_EXCL /* include/uapi/linux/pidfd.h: PIDFD_THREAD, Linux 6.9 */

/* The places in ending.fds; a descriptor of -1 is none, or one whose event has come. */
enum {
	SIGNALS,
	DURATION,
	SEARCH,
	INTERVAL,
	TAKE,
	GOVERN,
	ROOM,
	PROGRESS,
	ENABLE,
	FOLLOW,
	SAVES,
	ALERT,
	CHANGES,
	CONTROL,
	PROCESSES,
};

static int add_slot(struct ending *ending, int fd)
{
	struct pollfd *fds = reallocarray(ending->fds, ending->count + 1, sizeof(*fds));

	if (!fds)
		return -ENOMEM;
	fds[ending->count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	ending->fds = fds;
	return 0;
}

static int add_fd(struct ending *ending, int fd)
{
	int err = fd < 0 ? -errno : add_slot(ending, fd);

	if (err && fd >= 0)
		close(fd);
	return err;
}

/* As nohup(1) asks for. */
static bool is_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

int ending_open(struct ending *ending, bool is_saved)
{
	sigset_t signals, others, saves;
	int err;

	*ending = (struct ending){ 0 };
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(&signals, SIGHUP);
	/* To write more than RLIMIT_FSIZE allows is an error, as others are. */
	sigemptyset(&others);
	sigaddset(&others, SIGXFSZ);
	sigemptyset(&saves);
	sigaddset(&saves, SIGUSR2);
	if (is_saved)
		sigaddset(&others, SIGUSR2);
	sigprocmask(SIG_BLOCK, &others, &ending->mask_before);
	err = signal_watch_open(&ending->watch, &signals) ?: add_slot(ending, ending->watch.fd);
	for (int timer = DURATION; timer <= FOLLOW && !err; timer++)
		err = add_fd(ending, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
	err = err ?: add_slot(ending, is_saved ? signalfd(-1, &saves, SFD_CLOEXEC | SFD_NONBLOCK) : -1);
	for (int others = ALERT; others <= CONTROL && !err; others++)
		err = add_slot(ending, -1);
	return err;
}

int ending_signal_fd(const struct ending *ending)
{
	return ending->watch.fd;
}

static int watch(struct ending *ending, int pidfd)
{
	int err = add_fd(ending, pidfd);

	ending->watched += !err;
	return err;
}

int ending_watch_process(struct ending *ending, pid_t pid)
{
	return watch(ending, (int)syscall(SYS_pidfd_open, pid, 0));
}

int ending_watch_thread(struct ending *ending, pid_t pid, pid_t tid)
{
	int fd = (int)syscall(SYS_pidfd_open, tid, THREAD_PIDFD);

	return fd < 0 && errno == EINVAL ? ending_watch_process(ending, pid) : watch(ending, fd);
}

int ending_watch_command(struct ending *ending, pid_t pid)
{
	ending->command_pid = pid;
	return ending_watch_process(ending, pid);
}

void ending_watch_alert(struct ending *ending, int fd)
{
	ending->fds[ALERT].fd = fd;
}

void ending_watch_control(struct ending *ending, int fd)
{
	ending->fds[CONTROL].fd = fd;
}

void ending_watch_changes(struct ending *ending, int fd)
{
	ending->changes_fd = fd;
	ending->fds[CHANGES].fd = fd;
}

static int set_timer(int fd, uint64_t first_ns, uint64_t again_ns)
{
	/* A time of 0 leaves the timer unarmed, so that it never ends the wait. */
	const struct itimerspec when = {
		.it_value = { (time_t)(first_ns / 1000000000), (long)(first_ns % 1000000000) },
		.it_interval = { (time_t)(again_ns / 1000000000), (long)(again_ns % 1000000000) },
	};

	return timerfd_settime(fd, 0, &when, NULL) ? -errno : 0;
}

int ending_start(struct ending *ending, const struct ending_clocks *clocks)
{
	return set_timer(ending->fds[DURATION].fd, clocks->duration_ns, 0)                           ?:
		       set_timer(ending->fds[SEARCH].fd, clocks->search_ns, clocks->search_ns)       ?:
		       set_timer(ending->fds[INTERVAL].fd, clocks->interval_ns, clocks->interval_ns) ?:
		       set_timer(ending->fds[TAKE].fd, clocks->take_ns, clocks->take_ns)             ?:
		       set_timer(ending->fds[GOVERN].fd, clocks->govern_ns, 0)                       ?:
		       set_timer(ending->fds[ROOM].fd, clocks->room_ns, clocks->room_ns)             ?:
		       set_timer(ending->fds[PROGRESS].fd, clocks->progress_ns, clocks->progress_ns) ?:
		       set_timer(ending->fds[ENABLE].fd, clocks->enable_ns, 0)                       ?:
		       set_timer(ending->fds[FOLLOW].fd, 0, 0);
}

/* Many changes come together, and are attended to together. */
static void await_changes(struct ending *ending)
{
	ending->fds[CHANGES].fd = -1;
	set_timer(ending->fds[FOLLOW].fd, ENDING_FOLLOW_NS, 0);
}

static int set_timer_at(int fd, uint64_t time_ns)
{
	const struct itimerspec when = { .it_value = clock_until(time_ns) };

	return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL) ? -errno : 0;
}

int ending_follow_at(struct ending *ending, uint64_t time_ns)
{
	if (time_ns)
		return set_timer_at(ending->fds[FOLLOW].fd, time_ns);
	ending->fds[CHANGES].fd = ending->changes_fd;
	return 0;
}

int ending_govern_at(struct ending *ending, uint64_t time_ns)
{
	return set_timer_at(ending->fds[GOVERN].fd, time_ns);
}

/* Whether a timer has come; a period that was missed is not made up for. */
static bool take_timer(const struct pollfd *timer)
{
	uint64_t times;

	return timer->revents && read(timer->fd, &times, sizeof(times)) == sizeof(times);
}

static bool take_request(const struct pollfd *requests)
{
	struct signalfd_siginfo info;

	return requests->revents && read(requests->fd, &info, sizeof(info)) == sizeof(info);
}

/* Reads a signal; passes it on to the command unless the terminal has sent it to both. */
static bool take_signal(struct ending *ending)
{
	struct signal_taken taken;

	if (!signal_watch_take(&ending->watch, &taken))
		return false;
	if (ending->command_pid && taken.code != SI_KERNEL)
		kill(ending->command_pid, taken.number);
	return true;
}

/* Notes the processes that have ended. */
static void check_processes(struct ending *ending)
{
	for (size_t i = PROCESSES; i < ending->count; i++) {
		struct pollfd *process = &ending->fds[i];

		if (process->fd < 0 || !process->revents)
			continue;
		close(process->fd);
		process->fd = -1;
		ending->watched--;
	}
}

int ending_wait(struct ending *ending)
{
	bool watches = ending->count > PROCESSES;

	while (!watches || ending->watched) {
		if (poll(ending->fds, ending->count, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (ending->fds[SIGNALS].revents && take_signal(ending) &&
		    (!ending->command_pid || ++ending->signals > 1))
			return ENDING_REACHED;
		check_processes(ending);
		if (ending->fds[DURATION].revents)
			return ENDING_REACHED;
		if (ending->fds[CONTROL].revents)
			return ENDING_CONTROL;
		if (take_timer(&ending->fds[GOVERN]) || ending->fds[ALERT].revents)
			return ENDING_GOVERN;
		if (take_timer(&ending->fds[ENABLE]))
			return ENDING_ENABLE;
		if (take_timer(&ending->fds[SEARCH]))
			return ENDING_SEARCH;
		if (take_timer(&ending->fds[INTERVAL]))
			return ENDING_INTERVAL;
		if (take_timer(&ending->fds[TAKE]))
			return ENDING_TAKE;
		if (take_request(&ending->fds[SAVES]))
			return ENDING_SAVE;
		if (ending->fds[CHANGES].revents)
			await_changes(ending);
		if (take_timer(&ending->fds[FOLLOW]))
			return ENDING_FOLLOW;
		if (take_timer(&ending->fds[ROOM]))
			return ENDING_ROOM;
		if (take_timer(&ending->fds[PROGRESS]))
			return ENDING_PROGRESS;
	}
	return ENDING_REACHED;
}

int ending_wait_command(struct ending *ending)
{
	ending_start(ending, &(struct ending_clocks){ 0 });
	ending_watch_alert(ending, -1);
	ending_watch_changes(ending, -1);
	ending_watch_control(ending, -1);
	while (ending->watched) {
		if (poll(ending->fds, ending->count, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -errno;
		}
		if (ending->fds[SIGNALS].revents)
			take_signal(ending);
		/* It is too late for them. */
		take_request(&ending->fds[SAVES]);
		check_processes(ending);
	}
	return 0;
}

void ending_close(struct ending *ending)
{
	for (size_t i = 0; i < ending->count; i++) {
		bool is_ours = i >= DURATION && !(i >= ALERT && i <= CONTROL);

		if (is_ours && ending->fds[i].fd >= 0)
			close(ending->fds[i].fd);
	}
	signal_watch_close(&ending->watch);
	free(ending->fds);
	*ending = (struct ending){ 0 };
}
