/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tracer's programs take from the traced threads, as the kernel side notes it by CPU (cost.h). */
#ifndef SCALER_PROBE_SPENDING_H
#define SCALER_PROBE_SPENDING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/cost.h>

struct bpf_map;

/* What of the programs of system calls is attached. */
enum spending_calls {
	SPENDING_NOTHING,
	SPENDING_ENTRIES,
	SPENDING_BOTH,
	SPENDING_CALLS,
};

struct spending_meter {
	const struct scaler_cpu_cost *costs; /* mapped */
	size_t cpu_count;
	pthread_mutex_t lock;
	double call_ns[SPENDING_CALLS]; /* what a cheap system call takes, of late; 0: not measured */
	double hidden_ns;    /* what a hit of theirs takes that neither this nor its program's time shows */
	uint64_t running_ns; /* the most that was read: it never goes back */
	/* What was reckoned with these costs. */
	uint64_t call_hits, counted_calls;
	double dispatched_ns;
	struct scaler_spending first, last; /* of the recording */
	bool has_ended;
};

/* Maps the kernel side's figures. Returns 0 or a negative errno. */
int spending_open(struct spending_meter **meter, const struct bpf_map *costs);
void spending_close(struct spending_meter *meter);

/* Measures what system calls take now: what the kernel takes to run the programs is the difference. More often is more exact. */
void spending_measure_calls(struct spending_meter *meter, enum spending_calls attached);

/* What is known of it from elsewhere, from now on. */
void spending_set_hidden(struct spending_meter *meter, double hidden_ns);

/* Since it was opened; this and the next are for any thread. */
struct scaler_spending spending_read(struct spending_meter *meter);

/* The recording begins, and ends. */
void spending_begin(struct spending_meter *meter);
void spending_end(struct spending_meter *meter);
/* In the recording, up to now or its end. */
struct scaler_spending spending_of_recording(struct spending_meter *meter);
#endif
