/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that end the tracer are read in a thread, so that none waits for what is under way: one that nobody takes stays to
 * be seen by those who could wait, and a second one ends the tracer at once, whatever it does.
 */
#ifndef SCALER_CONTROL_SIGNAL_WATCH_H
#define SCALER_CONTROL_SIGNAL_WATCH_H

#include <signal.h>
#include <stdbool.h>

#include "base/worker.h"

/* What comes closer together than this is one: service managers send two. */
#define SIGNAL_WATCH_GAP_NS 200000000

/* A signal that has come. */
struct signal_taken {
	int number;
	int code; /* as si_code of siginfo_t */
};

struct signal_watch {
	int fd;       /* readable while a signal has come that was not taken; owned, as are the others */
	int write_fd; /* -1: it is not open */
	int signal_fd;
	int stop_fd;
	bool is_running;
	struct worker worker;
};

/* Blocks the signals in all threads that are begun from now on. Returns 0 or a negative errno. The watch stays where it is. */
int signal_watch_open(struct signal_watch *watch, const sigset_t *signals);
void signal_watch_close(struct signal_watch *watch);

/* Takes the oldest signal that has come. Returns 1, or 0 if there is none. */
int signal_watch_take(struct signal_watch *watch, struct signal_taken *taken);

#endif
