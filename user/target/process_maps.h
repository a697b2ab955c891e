/* SPDX-License-Identifier: GPL-2.0-only */
/* A living process's mappings, from /proc/PID/maps: which component an address lies in. */
#ifndef SCALER_TARGET_PROCESS_MAPS_H
#define SCALER_TARGET_PROCESS_MAPS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/component.h>

struct process_mapping {
	uint64_t offset; /* of the mapping's start: in the file, or of generated code its address */
	/* As the kernel side describes one; start and end are this mapping's, build_id is not known. */
	struct scaler_component component;
};

struct process_maps {
	struct process_mapping *mappings; /* owned; of one kind, by address */
	size_t count;
	size_t capacity;
};

/* Reads the executable maps of a process. 0 or a negative errno; the caller clears them in both cases. */
int process_maps_read(struct process_maps *maps, pid_t pid);

/*
 * The same of private ones that can neither be written to nor executed: into those of files the kernel puts the breakpoints
 * of uprobes, too, where the process reads them.
 */
int process_maps_read_unrun(struct process_maps *maps, pid_t pid);
void process_maps_clear(struct process_maps *maps);

/* The mapping with that address, or NULL. */
const struct process_mapping *process_maps_find(const struct process_maps *maps, uint64_t address);

/* Reads one line of that process's maps file, exported for tests; changes the line. Returns 0 or -EINVAL. */
int process_mapping_parse(struct process_mapping *mapping, char *line, pid_t pid);

#endif
