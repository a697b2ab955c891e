/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the rows of threads; those of threads that have exited, which nothing changes any more, leave the kernel then. */
#ifndef SCALER_STREAM_EXITED_H
#define SCALER_STREAM_EXITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"
#include "probe/recorder.h"

/* All zero at first. */
struct thread_list {
	struct scaler_thread *items; /* owned */
	size_t count;
	size_t capacity;
};

/* Returns 0 or -ENOMEM. */
int thread_list_add(struct thread_list *threads, const struct scaler_thread *thread);
/* By serial; one that has exited while it was read is there twice, and stands last as it was at its end. */
void thread_list_sort(struct thread_list *threads);
void thread_list_clear(struct thread_list *threads);

/* Adds the calls and errors of some threads, which are sorted, or of all: NULL. Returns 0 or a negative errno. */
int exited_read_rows(const struct recorder *recorder, const struct thread_list *threads,
		     struct profile *profile);

/*
 * Takes out of the kernel the threads that have exited, which become the list, sorted, and their rows, which are added
 * to the profile and take the place of what of them is in it already. Returns 0 or a negative errno.
 */
int exited_take(const struct recorder *recorder, struct thread_list *exited, struct profile *profile);

#endif
