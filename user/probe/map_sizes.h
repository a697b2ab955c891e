/* SPDX-License-Identifier: GPL-2.0-only */
/* How many rows each map has: as many as are asked for, few where nothing will be put; and how full they are. */
#ifndef SCALER_PROBE_MAP_SIZES_H
#define SCALER_PROBE_MAP_SIZES_H

#include "probe/recorder.h"

struct scaler_skeleton;

/* Before they are made. Reports its own errors. Returns 0 or a negative errno. */
int map_sizes_set(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs, bool sends_events);

/* Gives the kernel side a near row that nobody uses. */
void map_sizes_give_near_row(struct scaler_skeleton *skeleton, size_t index);

/* What the maps take of the kernel's memory, and the threads' storage. */
uint64_t map_sizes_kernel_bytes(const struct scaler_skeleton *skeleton);

/* What of them is mapped into the tracer's memory; and what else is in it. */
uint64_t map_sizes_mapped_bytes(uint64_t *other_bytes);

struct recorder_rows map_sizes_rows(const struct scaler_skeleton *skeleton);
void map_sizes_count_taken(struct scaler_skeleton *skeleton, enum scaler_rows map, uint64_t count);

#endif
