/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tracer may do once everything is attached: an attacker who takes it over gets no more than this. Source:
 * capabilities(7).
 */
#ifndef SCALER_BASE_PRIVILEGES_H
#define SCALER_BASE_PRIVILEGES_H

/*
 * Leaves the calling thread, and those that it makes from here on, the capabilities that tracing goes on with: to load BPF
 * programs and set probes, to read what processes have, to write the report. What it has not it does not get. Returns 0 or a
 * negative errno, with all that it had.
 */
int privileges_reduce(void);

/* Nobody without privileges reads the process's memory, nor does a core file get it. */
void privileges_hide_memory(void);

#endif
