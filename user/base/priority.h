/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of the tracer whose work cannot wait while the target keeps all CPUs busy. */
#ifndef SCALER_BASE_PRIORITY_H
#define SCALER_BASE_PRIORITY_H

/*
 * Gives the calling thread, and those that it makes from here on, the most of a CPU that an ordinary thread gets, as
 * far as it may. Returns its nice value before, for priority_restore().
 */
int priority_raise(void);

void priority_restore(int nice_value);

#endif
