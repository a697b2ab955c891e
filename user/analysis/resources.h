/* SPDX-License-Identifier: GPL-2.0-only */
/* What threads waited on: what was recorded of it, joined with what is known of threads, variables, sockets and paths. */
#ifndef SCALER_ANALYSIS_RESOURCES_H
#define SCALER_ANALYSIS_RESOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/blocking.h>

#include "model/places.h"
#include "model/profile.h"

struct resource {
	const struct scaler_resource *recorded; /* the profile's, as are the threads, sockets and paths */
	size_t variable; /* an index in places.items: where the futex lies; PLACE_NONE: not known, or in none */
	const struct scaler_thread *owner;  /* who held the futex, or is waited for; NULL: not known */
	const struct scaler_socket *socket; /* NULL: it is none, or not known, as with the next */
	const struct file_path *path;
	uint64_t
		timeout_ns; /* from the interval's beginning on, as was asked for; 0: none was, or not known */
	bool is_several; /* of a sum: it is one of several that are of one kind; what they may differ in means nothing */
};

/* The socket that it is, if it is one and known; NULL: it is not. */
const struct scaler_socket *resource_find_socket(struct sockets *sockets,
						 const struct scaler_resource *recorded);

/* The path of the file that it is, if it is one; NULL: it is not known, or it has none. */
const struct file_path *resource_find_path(struct file_paths *paths, const struct scaler_resource *recorded);

/* As struct resource has it; the other is that of CLOCK_REALTIME less CLOCK_MONOTONIC. */
uint64_t resource_timeout_ns(const struct scaler_blocking_interval *interval, int64_t wall_clock_ns);

struct numbered_thread {
	uint64_t number; /* its process's, and in the lower half that by which it knows itself */
	const struct scaler_thread *thread;
};

struct resource_finder {
	struct profile *profile; /* not owned, as are the places */
	const struct places *places;
	struct numbered_thread *threads; /* owned; by process and by their own numbers */
	size_t thread_count;
};

/* Returns 0 or -ENOMEM; the caller clears the finder in both cases. */
int resource_finder_make(struct resource_finder *finder, struct profile *profile,
			 const struct places *places);
void resource_finder_clear(struct resource_finder *finder);

/* Valid as long as the profile. */
struct resource resource_find(const struct resource_finder *finder,
			      const struct scaler_blocking_interval *interval);

/* Whether both are one thing: held by any owner, and reached by any descriptor if what that stands for is known. */
bool resource_is_same(const struct scaler_resource *left, const struct scaler_resource *right);

/*
 * 0 if both are of one kind to who reads a report; else an order. A kind is a variable, a file's path, a device, sockets
 * with one server's address; all else is only what it is: of locks on the heap, pipes, children and descriptors there are
 * as many as a program happens to make, and nobody knows one by its number.
 */
int resource_compare_kinds(const struct resource *left, const struct resource *right);

#endif
