/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are held open from when a process is first seen to have them mapped, because no path may lead to them any
 * more when their symbols are wanted: the process has ended, and they were removed, replaced, or never had a name.
 */
#ifndef SCALER_TARGET_HELD_FILES_H
#define SCALER_TARGET_HELD_FILES_H

#include <pthread.h>
#include <stddef.h>

#include <scaler/component.h>

struct held_file {
	struct scaler_component_key key;
	int fd; /* owned */
};

/* Any thread may use it once it is initialised. */
struct held_files {
	pthread_mutex_t lock;
	struct held_file *items; /* owned; by the order in which they came */
	size_t count;
	size_t capacity;
	size_t limit; /* of count: a quarter of the descriptors that this process may have; what comes later is not held */
};

void held_files_init(struct held_files *held);

/* Opens the component's file, if it is one and is not held yet. One that cannot be opened is passed over. */
void held_files_add(struct held_files *held, const struct scaler_component *component);

/* As component_open(), or else the file that is held, if any is. held: NULL: there are none. */
int held_files_open(struct held_files *held, const struct scaler_component *component);

void held_files_clear(struct held_files *held);

#endif
