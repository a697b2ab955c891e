/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ends a recording: a signal, its duration, or the end of everything that is traced.
 *
 * A command shares the terminal with us. So the first Ctrl-C is the command's, which has received it
 * too, and the recording goes on until the command ends. A first SIGINT or SIGTERM that was sent to us
 * alone is passed on to it. A second signal ends the recording whatever the command does; and one that comes while an
 * earlier one has not been attended to, as a report is made, ends the tracer.
 */
#ifndef SCALER_CONTROL_ENDING_H
#define SCALER_CONTROL_ENDING_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "control/signal_watch.h"

struct ending {
	struct signal_watch watch;
	struct pollfd *
		fds; /* the signals, the timers, what is the caller's, then a pidfd per watched process; owned but for the third */
	size_t count;
	int changes_fd;
	size_t watched;       /* how many of the processes have not ended */
	pid_t command_pid;    /* 0 without a command */
	int signals;          /* how many have come */
	sigset_t mask_before; /* the signal mask that a command is to have */
};

/*
 * Has the signals that end a recording read by ending_wait(), and SIGUSR2 if that has it saved. It stays where it is. 0 or a
 * negative errno.
 */
int ending_open(struct ending *ending, bool is_saved);

/* Readable while signals have come that ending_wait() has not read; it stays the ending's. */
int ending_signal_fd(const struct ending *ending);

/* The recording ends with the last of the watched processes. 0 or a negative errno. */
int ending_watch_process(struct ending *ending, pid_t pid);

/* The same with a thread; before Linux 6.9 it is its process, pid, whose end is watched. */
int ending_watch_thread(struct ending *ending, pid_t pid, pid_t tid);

/* Watches it like a process, and signals are handled as described above. */
int ending_watch_command(struct ending *ending, pid_t pid);

/* The event ENDING_GOVERN comes also when that is readable, which the caller then reads; it stays the caller's. */
void ending_watch_alert(struct ending *ending, int fd);

/*
 * The event ENDING_FOLLOW comes so long after that has become readable; from then on it is not looked at until the
 * caller says when the event is to come next: 0 for when it becomes readable again. It stays the caller's.
 */
#define ENDING_FOLLOW_NS 10000000
void ending_watch_changes(struct ending *ending, int fd);
/* A time of CLOCK_MONOTONIC. Returns 0 or a negative errno. */
int ending_follow_at(struct ending *ending, uint64_t time_ns);

/* When the event ENDING_GOVERN is to come, besides; only the latest time counts. Returns as the one above. */
int ending_govern_at(struct ending *ending, uint64_t time_ns);

/* The event ENDING_CONTROL comes when that is readable, which the caller then reads; -1: never. It stays the caller's. */
void ending_watch_control(struct ending *ending, int fd);

/* 0: never. */
struct ending_clocks {
	uint64_t duration_ns; /* until the end */
	uint64_t search_ns;   /* between two events of that name */
	uint64_t interval_ns;
	uint64_t take_ns;
	uint64_t room_ns;
	uint64_t progress_ns;
	uint64_t govern_ns; /* until the one event of that name, as is the next */
	uint64_t enable_ns;
};

int ending_start(struct ending *ending, const struct ending_clocks *clocks);

enum ending_event {
	ENDING_REACHED,
	ENDING_SEARCH,
	ENDING_INTERVAL,
	ENDING_TAKE,
	ENDING_GOVERN,
	ENDING_ROOM,
	ENDING_PROGRESS,
	ENDING_FOLLOW,
	ENDING_ENABLE,
	ENDING_CONTROL,
	ENDING_SAVE, /* SIGUSR2 has come */
};

/* Waits for the end or the next event before it. Returns an enum ending_event or a negative errno. */
int ending_wait(struct ending *ending);

/* Waits for the end of a command that outlives the recording; signals sent to us are passed on to it. */
int ending_wait_command(struct ending *ending);

void ending_close(struct ending *ending);

#endif
