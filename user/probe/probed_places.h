/* SPDX-License-Identifier: GPL-2.0-only */
/* Where library functions have probes: files in processes. */
#ifndef SCALER_PROBE_PROBED_PLACES_H
#define SCALER_PROBE_PROBED_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file in a process, or everywhere: the plan's functions of that file have probes there, as far as they go. */
struct probed_place {
	uint32_t file;  /* its number among the plan's */
	pid_t pid;      /* 0: everywhere */
	size_t covered; /* functions of higher numbers, from 0, have not */
};

struct probed_places {
	struct probed_place *items; /* owned */
	size_t count;
	size_t capacity;
};

/* Adds it, with nothing covered, if it is not there. Returns NULL if there is no memory. */
struct probed_place *probed_places_get(struct probed_places *places, uint32_t file, pid_t pid);

bool probed_places_have(const struct probed_places *places, pid_t pid);
size_t probed_places_count_processes(const struct probed_places *places);
size_t probed_places_count_of_file(const struct probed_places *places, uint32_t file);

/* Takes out one of those in the process, and tells which file it was. Returns whether there was one. */
bool probed_places_take(struct probed_places *places, pid_t pid, uint32_t *file);

/* Takes out the one with that index; the last takes its place. */
void probed_places_remove(struct probed_places *places, size_t index);

void probed_places_clear(struct probed_places *places);

#endif
