/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When to look at the files of processes that have begun, executed another program or mapped code: soon, but not before
 * a process that is starting has mapped all it needs, and not so often that the looking takes more than a share of a
 * CPU. A pure function of times, which are CLOCK_MONOTONIC's.
 */
#ifndef SCALER_PLAN_FOLLOW_QUEUE_H
#define SCALER_PLAN_FOLLOW_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Until a process has been quiet for so long, but no longer than that. */
#define FOLLOW_QUIET_NS   10000000
#define FOLLOW_PATIENT_NS 50000000

/* Of one CPU, the share that may go into following; and how much of that may be saved up. */
#define FOLLOW_SHARE    8
#define FOLLOW_SAVED_NS 500000000

/* A process that is to be looked at. */
struct follow_entry {
	pid_t pid;
	uint64_t first_ns; /* when it was first heard of since it was looked at */
	uint64_t last_ns;
	bool began; /* it has that number only since then */
};

struct follow_queue {
	struct follow_entry *entries; /* owned; those heard of first come first */
	size_t count;
	size_t capacity;
	uint64_t credit_ns;      /* of time that may be spent at once */
	uint64_t credited_at_ns; /* 0: not yet */
};

/* A process was heard of: it has begun, or something else has changed. Returns 0 or -ENOMEM. */
int follow_queue_add(struct follow_queue *queue, pid_t pid, bool began, uint64_t now_ns);

/* Takes one whose time has come out. Returns whether there is one. */
bool follow_queue_take(struct follow_queue *queue, uint64_t now_ns, struct follow_entry *entry);

/* Looking has taken so long. */
void follow_queue_spend(struct follow_queue *queue, uint64_t spent_ns);

/* When the next may be taken; 0: there is none. */
uint64_t follow_queue_next_ns(const struct follow_queue *queue, uint64_t now_ns);

/* How many of those that wait have begun. */
size_t follow_queue_count_begun(const struct follow_queue *queue);

void follow_queue_clear(struct follow_queue *queue);

#endif
