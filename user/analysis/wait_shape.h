/* SPDX-License-Identifier: GPL-2.0-only */
/* Who waits in what on what, and who or what ends waits: what is alike in these has one shape, however often. */
#ifndef SCALER_ANALYSIS_WAIT_SHAPE_H
#define SCALER_ANALYSIS_WAIT_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/blocking.h>

#include "base/distinct.h"
#include "model/sockets.h"

/* All that tells shapes apart; what is not said is 0. Names are those of threads, whatever process they are of. */
struct wait_shape_key {
	uint64_t site; /* as in struct scaler_sample, as are the next three */
	uint64_t kernel;
	uint32_t stack;
	uint32_t sample_kind;
	char comm[16]; /* not trusted, zeros behind its end */
	struct scaler_call_id call;
	uint8_t is_in_call;
	/* Of what is waited on, and of a variable its site. */
	uint8_t resource;
	uint8_t descriptor;
	uint8_t resource_flags;
	uint64_t variable;
	/* Of what has ended a wait, as in struct scaler_waker; of a wait 0. */
	uint16_t vector;
	uint8_t context;
	uint8_t is_timer;
	uint8_t signal;
	uint8_t side;   /* of the socket that is waited on, enum socket_side */
	uint8_t origin; /* of work that others have queued: waker_origin() */
	uint8_t zero;
	uint32_t also_zero;
	uint32_t disk; /* that was waited for, as in struct scaler_block_request */
	/* Of a time that a thread waited for a CPU: the name of what had it the longest; of all else zeros. */
	char cpu_holder[16];
};

struct wait_shape {
	struct wait_shape_key key;
	/* What the first one of the shape waited on. */
	struct scaler_resource resource;
	bool has_several; /* some have waited on another thing of that kind */
	bool is_wait;     /* resource is set */
	uint32_t process; /* of the first waker that is not traced, as the tracer sees it; 0: unknown */
	/* Of all of the shape, for how long they had asked to wait; 0: some had not. */
	uint64_t least_timeout_ns;
	uint64_t most_timeout_ns;
};

#define WAIT_SHAPE_NONE UINT32_MAX

/*
 * The number of the shape of the waiter, or of the waker, among the shapes, which are all zero at first. The wall clock
 * is CLOCK_REALTIME less CLOCK_MONOTONIC, the socket that which is waited on; NULL: none,
 * or not known. WAIT_SHAPE_NONE: there is no memory.
 */
uint32_t wait_shape_of_waiter(struct distinct *shapes, const struct scaler_blocking_interval *interval,
			      const struct scaler_socket *socket, int64_t wall_clock_ns);
/* Of what follows the wait: that the thread waited for a CPU. */
uint32_t wait_shape_of_delay(struct distinct *shapes, const struct scaler_blocking_interval *interval);
uint32_t wait_shape_of_waker(struct distinct *shapes, const struct scaler_waker *waker, uint32_t disk);
/* Of the thread that has done such work, of which the first shape has the name. */
uint32_t wait_shape_of_worker(struct distinct *shapes, uint32_t name, const struct scaler_waker *waker);

/* Of a thread of which no more is said. */
uint32_t wait_shape_of_name(struct distinct *shapes, const char comm[SCALER_COMM_SIZE]);

/* Whether what they waited on is one thing. */
bool wait_shape_is_same_thing(const struct wait_shape *left, const struct wait_shape *right);

static inline const struct wait_shape *wait_shape_get(const struct distinct *shapes, uint32_t number)
{
	return &((const struct wait_shape *)shapes->items)[number];
}

#endif
