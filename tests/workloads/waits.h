/* SPDX-License-Identifier: GPL-2.0-only */
/* The ways of waiting that "waits" knows, and what they share. */
#ifndef WAITS_H
#define WAITS_H

#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct way {
	const char *name;
	void (*prepare)(void);
	void (*wait)(void);
	void (*before)(void); /* what the waker does before it pauses; NULL: there is no waker */
	void (*wake)(void);
};

/* Of objects that a descriptor stands for: waits_objects.c. The last one's name is NULL. */
extern const struct way object_ways[];
/* The same of requests of an io_uring: waits_rings.c. */
extern const struct way ring_ways[];

extern long pause_ns;
extern int fds[2]; /* to read from, to write to */
extern int set;    /* by which it waits for them */

static inline void pause_for(long time_ns)
{
	const struct timespec pause = { time_ns / 1000000000, time_ns % 1000000000 };

	nanosleep(&pause, NULL);
}

/* For as long as the waiter, a process, is to wait, which on a busy machine it may not do yet after pause_ns. */
void pause_for_waiter(pid_t pid);

void nothing(void);
void open_pipe(void);
void open_tcp(void);
void read_some(void); /* eight bytes, as eventfd wants them */
void write_some(void);

#endif
