/* SPDX-License-Identifier: GPL-2.0-only */
/* The timers of CPU samples: one on each CPU that is online, which runs a BPF program. */
#ifndef SCALER_PROBE_SAMPLER_H
#define SCALER_PROBE_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_link;
struct bpf_program;

struct sampler {
	struct bpf_link **links; /* owned */
	size_t count;
};

/* Whether this kernel runs what samples take. */
bool sampler_is_possible(void);

/* Opens a timer, and closes it. Returns 0, -EOPNOTSUPP where samples are not possible, or another negative errno. */
int sampler_try(void);

/*
 * Starts timers of so many samples a second, which is at least 1. Returns 0 or a negative errno with nothing to
 * detach.
 */
int sampler_attach(struct sampler *sampler, const struct bpf_program *program, unsigned int frequency);

void sampler_detach(struct sampler *sampler);

#endif
