// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread for each link, begun as the one before has come to wait. Taking out a probe needs a lock that all processes
 * share (dup_mmap_sem in kernel/events/uprobes.c), and two threads that want it hand it over at every probe: on a
 * machine with work to do that takes 300 us instead of 25.
 */
#include "probe/uprobe_closing.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define CLOSERS     64
#define PATIENCE_NS 100000000
/* A thread that has not run for so long waits for what the lock has nothing to do with. */
#define LOOK_NS 1000000
#define LOOKS   2

struct closer {
	pthread_t thread;
	int fd;
	pid_t tid; /* 0: it has not begun */
	bool is_done;
};

struct closing {
	uint64_t began_ns;
	uint32_t *is_late;
	struct closer closers[CLOSERS];
	size_t started; /* in turn, from the first on, around and around */
	size_t joined;
};

static void *close_one(void *data)
{
	struct closer *closer = data;

	__atomic_store_n(&closer->tid, gettid(), __ATOMIC_RELEASE);
	close(closer->fd);
	__atomic_store_n(&closer->is_done, true, __ATOMIC_RELEASE);
	return NULL;
}

static void look_away(struct closing *closing)
{
	const struct timespec time = { .tv_nsec = LOOK_NS };

	nanosleep(&time, NULL);
	if (clock_now_ns() - closing->began_ns > PATIENCE_NS)
		__atomic_store_n(closing->is_late, 1, __ATOMIC_SEQ_CST);
}

/* How often a thread has been on a CPU; 0: it is there or is to be, or nothing tells. */
static unsigned long long count_turns(pid_t tid)
{
	char path[64], line[512] = "", *state;
	unsigned long long turns = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "re");
	if (file && !fgets(line, sizeof(line), file))
		*line = '\0';
	if (file)
		fclose(file);
	state = strrchr(line, ')');
	if (!state || state[1] != ' ' || state[2] == 'R')
		return 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/schedstat", tid);
	file = fopen(path, "re");
	if (file && fscanf(file, "%*u %*u %llu", &turns) != 1)
		turns = 0;
	if (file)
		fclose(file);
	return turns;
}

/* Until the thread waits, or is done. */
static void wait_for_rest(struct closing *closing, const struct closer *closer)
{
	unsigned long long turns = 0;

	for (int looks = 0; looks < LOOKS && !__atomic_load_n(&closer->is_done, __ATOMIC_ACQUIRE);) {
		pid_t tid = __atomic_load_n(&closer->tid, __ATOMIC_ACQUIRE);
		unsigned long long now = tid ? count_turns(tid) : 0;

		looks = now && now == turns ? looks + 1 : 0;
		turns = now;
		look_away(closing);
	}
}

static void join_first(struct closing *closing)
{
	struct closer *closer = &closing->closers[closing->joined++ % CLOSERS];

	while (!__atomic_load_n(&closer->is_done, __ATOMIC_ACQUIRE))
		look_away(closing);
	pthread_join(closer->thread, NULL);
}

void uprobe_links_close(const int *links, size_t count, uint32_t *is_late)
{
	struct closing closing = { .began_ns = clock_now_ns(), .is_late = is_late };

	for (size_t i = 0; i < count; i++) {
		struct closer *closer = &closing.closers[closing.started % CLOSERS];

		if (closing.started - closing.joined == CLOSERS)
			join_first(&closing);
		*closer = (struct closer){ .fd = links[i] };
		if (pthread_create(&closer->thread, NULL, close_one, closer)) {
			__atomic_store_n(is_late, 1, __ATOMIC_SEQ_CST);
			close(links[i]);
			continue;
		}
		closing.started++;
		if (i + 1 < count)
			wait_for_rest(&closing, closer);
	}
	while (closing.joined < closing.started)
		join_first(&closing);
	__atomic_store_n(is_late, 0, __ATOMIC_SEQ_CST);
}

static void *close_all(void *data)
{
	const int *links = data;

	for (size_t i = 0; links[i] >= 0; i++)
		close(links[i]);
	free(data);
	return NULL;
}

void uprobe_links_close_behind(const int *links, size_t count)
{
	int *copy = malloc((count + 1) * sizeof(*copy));
	pthread_t thread;

	if (copy) {
		memcpy(copy, links, count * sizeof(*copy));
		copy[count] = -1;
	}
	if (copy && !pthread_create(&thread, NULL, close_all, copy)) {
		pthread_detach(thread);
		return;
	}
	free(copy);
	for (size_t i = 0; i < count; i++)
		close(links[i]);
}
