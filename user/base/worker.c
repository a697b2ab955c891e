// SPDX-License-Identifier: GPL-2.0-only
/* A thread, and what it takes to wake it. */
#include "base/worker.h"

#include <signal.h>

#include "base/clock.h"
#include "base/priority.h"
#include "base/privileges.h"

static void *work(void *data)
{
	struct worker *worker = data;

	priority_raise();
	privileges_reduce();
	worker->run(worker->context);
	return NULL;
}

int worker_start(struct worker *worker, void (*run)(void *context), void *context)
{
	pthread_condattr_t attributes;
	sigset_t all, before;
	int err;

	*worker = (struct worker){ .run = run, .context = context };
	pthread_mutex_init(&worker->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&worker->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

void worker_wait_until(struct worker *worker, uint64_t time_ns)
{
	const struct timespec until = clock_until(time_ns);

	if (time_ns == WORKER_FOREVER)
		pthread_cond_wait(&worker->changed, &worker->lock);
	else
		pthread_cond_timedwait(&worker->changed, &worker->lock, &until);
}

void worker_wake(struct worker *worker)
{
	pthread_cond_broadcast(&worker->changed);
}

bool worker_stop(struct worker *worker)
{
	bool was_stopping;

	pthread_mutex_lock(&worker->lock);
	was_stopping = worker->is_stopping;
	worker->is_stopping = true;
	worker_wake(worker);
	pthread_mutex_unlock(&worker->lock);
	if (!was_stopping)
		pthread_join(worker->thread, NULL);
	return !was_stopping;
}
