// SPDX-License-Identifier: GPL-2.0-only
/* Work in a thread that is left to itself when it no longer goes on. */
#include "base/patience.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/log.h"

#define STEP_MS   50
#define SAY_NS    1000000000ULL
#define LEAVE_NS  900000000ULL /* from when it is to give up on */
#define CPU_ALIVE 1000000ULL   /* the CPU time that tells it from a thread that merely waits in steps */

/* Its last user frees it. */
struct patient_work {
	struct patience patience;
	void *context;
	atomic_int users;
	atomic_bool is_left;
	atomic_bool gives_up;
	atomic_bool tells;
	atomic_uint_fast64_t progress;
	int done_fd;
};

/* How it goes on, as the one who waits sees it. */
struct watch {
	struct patient_work *work;
	pthread_t thread;
	uint64_t begun_ns;
	uint64_t told_ns;     /* since when it tells of progress; 0: it does not */
	uint64_t alive_ns;    /* when it last went on */
	uint64_t given_up_ns; /* 0: it was not */
	uint64_t progress;
	uint64_t cpu_ns;
	int reason;
	bool has_said;
};

static void put(struct patient_work *work)
{
	if (atomic_fetch_sub(&work->users, 1) > 1)
		return;
	close(work->done_fd);
	free(work);
}

static void *run(void *data)
{
	struct patient_work *work = data;

	work->patience.work(work, work->context);
	/* The second of the two has the context. */
	if (atomic_exchange(&work->is_left, true))
		work->patience.drop(work->context);
	else
		eventfd_write(work->done_fd, 1);
	put(work);
	return NULL;
}

bool patient_work_tell(struct patient_work *work, uint64_t progress)
{
	atomic_store(&work->progress, progress);
	atomic_store(&work->tells, true);
	return atomic_load(&work->gives_up);
}

static uint64_t thread_cpu_ns(pthread_t thread)
{
	struct timespec time;
	clockid_t clock;

	if (pthread_getcpuclockid(thread, &clock) || clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void look(struct watch *watch, uint64_t now_ns)
{
	struct patient_work *work = watch->work;
	uint64_t cpu_ns = thread_cpu_ns(watch->thread), progress = atomic_load(&work->progress);

	if (!watch->told_ns && atomic_load(&work->tells))
		watch->told_ns = watch->alive_ns = now_ns;
	if (progress != watch->progress || (!watch->told_ns && cpu_ns - watch->cpu_ns > CPU_ALIVE)) {
		watch->alive_ns = now_ns;
		watch->progress = progress;
		watch->cpu_ns = cpu_ns;
	}
	if (!watch->has_said && work->patience.what && now_ns - watch->begun_ns > SAY_NS &&
	    isatty(STDERR_FILENO)) {
		log_note("waiting for %s; a signal ends that", work->patience.what);
		watch->has_said = true;
	}
}

static void give_up(struct watch *watch, uint64_t now_ns, int reason)
{
	if (watch->given_up_ns)
		return;
	watch->given_up_ns = now_ns;
	watch->reason = reason;
	atomic_store(&watch->work->gives_up, true);
}

/* True: it is done. */
static bool wait_step(struct watch *watch)
{
	const struct patience *patience = &watch->work->patience;
	struct pollfd fds[] = {
		{ .fd = watch->work->done_fd, .events = POLLIN },
		{ .fd = watch->given_up_ns ? -1 : patience->signal_fd, .events = POLLIN },
	};
	uint64_t now_ns;

	poll(fds, 2, STEP_MS);
	now_ns = clock_now_ns();
	look(watch, now_ns);
	if (fds[1].revents)
		give_up(watch, now_ns, -ECANCELED);
	else if (now_ns - watch->alive_ns > patience->silence_ns ||
		 (watch->told_ns && now_ns - watch->told_ns > patience->limit_ns))
		give_up(watch, now_ns, -ETIMEDOUT);
	return fds[0].revents;
}

static int await(struct watch *watch)
{
	struct patient_work *work = watch->work;

	watch->begun_ns = watch->alive_ns = clock_now_ns();
	while (!wait_step(watch)) {
		if (!watch->given_up_ns || clock_now_ns() - watch->given_up_ns < LEAVE_NS)
			continue;
		pthread_detach(watch->thread);
		if (!atomic_exchange(&work->is_left, true))
			return -EINPROGRESS;
		/* It has just been done. */
		return watch->reason;
	}
	pthread_join(watch->thread, NULL);
	return watch->reason;
}

int patience_run(const struct patience *patience, void *context)
{
	struct patient_work *work = calloc(1, sizeof(*work));
	struct watch watch = { .work = work };
	sigset_t all, before;
	int err;

	if (!work)
		return -ENOMEM;
	work->patience = *patience;
	work->context = context;
	work->done_fd = eventfd(0, EFD_CLOEXEC);
	atomic_init(&work->users, 2);
	if (work->done_fd < 0) {
		err = -errno;
		free(work);
		return err;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	err = -pthread_create(&watch.thread, NULL, run, work);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err) {
		close(work->done_fd);
		free(work);
		return err;
	}
	err = await(&watch);
	put(work);
	return err;
}
