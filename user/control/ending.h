/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ends a recording: a signal, its duration, or the end of everything that is traced.
 *
 * A command shares the terminal with us. So the first Ctrl-C is the command's, which has received it
 * too, and the recording goes on until the command ends. A first SIGINT or SIGTERM that was sent to us
 * alone is passed on to it. A second signal ends the recording whatever the command does.
 */
#ifndef SCALER_CONTROL_ENDING_H
#define SCALER_CONTROL_ENDING_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ending {
	int signal_fd;
	int *process_fds; /* owned: one pidfd per watched process */
	size_t process_count;
	pid_t command_pid;  /* 0 without a command */
	sigset_t mask_before; /* the signal mask that a command is to have */
};

/* Blocks the signals that end a recording, to be read by ending_wait(). 0 or a negative errno. */
int ending_open(struct ending *ending);

/*
 * The recording ends with the last of the watched processes. Returns 0, -ESRCH if there is no such
 * process, -EINVAL if the number is that of a thread, or another negative errno.
 */
int ending_watch_process(struct ending *ending, pid_t pid);

/* Watches it like a process, and signals are handled as described above. */
int ending_watch_command(struct ending *ending, pid_t pid);

/* Waits for the end; duration_ns 0: without limit. Returns 0 or a negative errno. */
int ending_wait(struct ending *ending, uint64_t duration_ns);

void ending_close(struct ending *ending);

#endif
