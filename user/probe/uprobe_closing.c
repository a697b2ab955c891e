// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread for each link, and one that begins them: each as the one before has come to wait. Taking out a probe needs a
 * lock that all processes share (dup_mmap_sem in kernel/events/uprobes.c), and two threads that want it hand it over at
 * every probe: on a machine with work to do that takes 300 us instead of 25.
 */
#include "probe/uprobe_closing.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "target/process.h"

/* How often to look whether a thread has come to wait: one that has not run between two looks waits for RCU. */
#define LOOK_NS 100000
#define LOOKS   2
/* Its breakpoints are gone by then as far as anybody waits for that. */
#define GONE_NS 50000000
/* close() needs little of a stack. */
#define STACK_BYTES (64 << 10)

struct closing {
	struct closing *next;
	struct uprobe_closer *closer;
	uint64_t number;
	uint32_t group;
	int link;
	pid_t tid; /* of its thread; 0: it has not begun */
	bool has_begun;
	bool is_gone; /* its breakpoints are, as far as can be seen */
	bool is_done;
};

struct uprobe_closer {
	struct worker worker; /* begins them, and is stopped with the last; its lock is of all that follows */
	struct closing *first; /* owned; in the order in which they were taken */
	struct closing **end;
	uint64_t taken; /* how many were, since the beginning */
};

static void *close_one(void *data)
{
	struct closing *closing = data;
	struct uprobe_closer *closer = closing->closer;

	__atomic_store_n(&closing->tid, gettid(), __ATOMIC_RELEASE);
	close(closing->link);
	pthread_mutex_lock(&closer->worker.lock);
	closing->is_done = true;
	worker_wake(&closer->worker);
	pthread_mutex_unlock(&closer->worker.lock);
	return NULL;
}

/* How often a thread has been on a CPU; 0: it is there or is to be, or nothing tells. */
static uint64_t count_turns(pid_t tid)
{
	struct thread_activity activity;

	return thread_activity_read(&activity, tid) || activity.state == 'R' ? 0 : activity.turns;
}

/* With the lock held. */
static void forget_closed(struct uprobe_closer *closer)
{
	struct closing **at = &closer->first;

	while (*at) {
		struct closing *closing = *at;

		if (!closing->is_done) {
			at = &closing->next;
			continue;
		}
		*at = closing->next;
		free(closing);
	}
	closer->end = at;
}

/* With the lock held: begins to close it, and waits until that waits itself, or is done. */
static void begin(struct uprobe_closer *closer, struct closing *closing)
{
	uint64_t turns = 0;
	pthread_attr_t attributes;
	pthread_t thread;
	int err;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	err = pthread_create(&thread, &attributes, close_one, closing);
	pthread_attr_destroy(&attributes);
	/* It is tried again when others have ended. */
	if (err)
		return;
	closing->has_begun = true;
	for (int looks = 0; looks < LOOKS && !closing->is_done;) {
		pid_t tid = __atomic_load_n(&closing->tid, __ATOMIC_ACQUIRE);
		uint64_t now = tid ? count_turns(tid) : 0;

		looks = now && now == turns ? looks + 1 : 0;
		turns = now;
		pthread_mutex_unlock(&closer->worker.lock);
		nanosleep(&(const struct timespec){ .tv_nsec = LOOK_NS }, NULL);
		pthread_mutex_lock(&closer->worker.lock);
	}
	closing->is_gone = true;
	worker_wake(&closer->worker);
}

static struct closing *find_waiting(const struct uprobe_closer *closer)
{
	struct closing *closing = closer->first;

	while (closing && closing->has_begun)
		closing = closing->next;
	return closing;
}

static void begin_all(void *data)
{
	struct uprobe_closer *closer = data;

	pthread_mutex_lock(&closer->worker.lock);
	while (closer->first || !closer->worker.is_stopping) {
		struct closing *waiting = find_waiting(closer);

		if (waiting)
			begin(closer, waiting);
		if (!waiting || !waiting->has_begun)
			worker_wait_until(&closer->worker,
					  closer->first ? clock_now_ns() + LOOK_NS : WORKER_FOREVER);
		forget_closed(closer);
	}
	pthread_mutex_unlock(&closer->worker.lock);
}

int uprobe_closer_open(struct uprobe_closer **result)
{
	struct uprobe_closer *closer = calloc(1, sizeof(*closer));
	int err;

	if (!closer)
		return -ENOMEM;
	closer->end = &closer->first;
	err = worker_start(&closer->worker, begin_all, closer);
	if (err)
		free(closer);
	else
		*result = closer;
	return err;
}

uint64_t uprobe_closer_take(struct uprobe_closer *closer, int link, uint32_t group)
{
	struct closing *closing = malloc(sizeof(*closing));
	uint64_t number;

	if (!closing) {
		close(link);
		return 0;
	}
	*closing = (struct closing){ .closer = closer, .link = link, .group = group };
	pthread_mutex_lock(&closer->worker.lock);
	number = closing->number = ++closer->taken;
	*closer->end = closing;
	closer->end = &closing->next;
	worker_wake(&closer->worker);
	pthread_mutex_unlock(&closer->worker.lock);
	return number;
}

static bool has_hits(const struct uprobe_closer *closer, uint64_t number)
{
	bool has_hits = false;

	for (const struct closing *closing = closer->first; closing && !has_hits; closing = closing->next)
		has_hits = closing->number <= number && !closing->is_gone && !closing->is_done;
	return has_hits;
}

void uprobe_closer_wait_gone(struct uprobe_closer *closer, uint64_t number)
{
	uint64_t until_ns = clock_now_ns() + GONE_NS;

	pthread_mutex_lock(&closer->worker.lock);
	while (has_hits(closer, number) && clock_now_ns() < until_ns)
		worker_wait_until(&closer->worker, until_ns);
	pthread_mutex_unlock(&closer->worker.lock);
}

bool uprobe_closer_is_busy(struct uprobe_closer *closer, uint32_t group, uint64_t number)
{
	bool is_busy = false;

	pthread_mutex_lock(&closer->worker.lock);
	for (const struct closing *closing = closer->first; closing && !is_busy; closing = closing->next)
		is_busy = closing->group == group && closing->number <= number && !closing->is_done;
	pthread_mutex_unlock(&closer->worker.lock);
	return is_busy;
}

void uprobe_closer_finish(struct uprobe_closer *closer)
{
	if (!closer)
		return;
	worker_stop(&closer->worker);
	free(closer);
}
