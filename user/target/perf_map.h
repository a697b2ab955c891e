/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names that a process gives the code it generates: /tmp/perf-PID.map, by the convention that perf has set
 * (tools/perf/Documentation/jit-interface.txt). One line for each piece of code, "START SIZE NAME", hexadecimal.
 */
#ifndef SCALER_TARGET_PERF_MAP_H
#define SCALER_TARGET_PERF_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/component.h>

/* Text of the file; its names are not trusted. */
struct perf_map {
	char *text; /* owned */
	size_t size;
};

/*
 * Reads the map of the process whose generated code the component is, as that process sees /tmp if it still
 * lives. Returns 0; -ENOENT: it has written none; -EPERM: it is not a file of the process's user, or has other names;
 * -ESTALE: it is older than the process; -EFBIG; -ENOMEM; or another negative errno. The caller clears it in
 * all cases.
 */
int perf_map_read(struct perf_map *map, const struct scaler_component *generated);
void perf_map_clear(struct perf_map *map);

struct perf_map_name {
	const char *text; /* in the map, not ended; NULL: the map has none */
	size_t length;
};

/*
 * The names of the code at addresses, which ascend. Of several pieces around an address it is the last in the map:
 * code is generated again where other code was. Returns 0 or -ENOMEM.
 */
int perf_map_find(const struct perf_map *map, const uint64_t *addresses, size_t count,
		  struct perf_map_name *names);

#endif
