/* SPDX-License-Identifier: GPL-2.0-only */
/* A thread of the tracer that waits for times, and for what others tell it, until it is stopped. */
#ifndef SCALER_BASE_WORKER_H
#define SCALER_BASE_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct worker {
	pthread_t thread;
	pthread_mutex_t lock; /* of is_stopping, and of what the caller says */
	pthread_cond_t changed;
	bool is_stopping; /* run() is to return */
	void (*run)(void *context);
	void *context;
};

/*
 * Has run() called in a thread, with the most of a CPU that an ordinary one gets (priority.h) and the capabilities that tracing
 * takes (privileges.h); signals stay the others'. The worker and context outlive it. Returns 0, or a negative errno with nothing to stop.
 */
int worker_start(struct worker *worker, void (*run)(void *context), void *context);

/* With the lock held, which it lets go: waits until that time, CLOCK_MONOTONIC, or worker_wake(). It may wake for nothing. */
#define WORKER_FOREVER UINT64_MAX
void worker_wait_until(struct worker *worker, uint64_t time_ns);

/* With the lock held: something has changed. */
void worker_wake(struct worker *worker);

/* Waits until run() has returned. A second time it does nothing. Returns whether it did anything. */
bool worker_stop(struct worker *worker);

#endif
