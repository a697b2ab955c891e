/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names in a perf map, one line for each piece of generated code, "START SIZE NAME", hexadecimal. Source: the Linux
 * kernel's tools/perf/Documentation/jit-interface.txt.
 */
#ifndef SCALER_CODE_GENERATED_NAMES_H
#define SCALER_CODE_GENERATED_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Of larger maps nothing is read, and of longer names no more. */
#define GENERATED_NAMES_BYTES_MAX (64 << 20)
#define GENERATED_NAME_MAX        4096

struct generated_names {
	char *text; /* owned; not trusted */
	size_t size;
};

/* Reads all of an open file, which may grow and shrink meanwhile. Returns 0, -EFBIG, -ENOMEM or another negative errno. */
int generated_names_read(struct generated_names *names, int fd);
void generated_names_clear(struct generated_names *names);

struct generated_name {
	const char *text; /* in the map, not ended; NULL: the map has none */
	size_t length;
};

/*
 * The names of the code at addresses, which ascend. Of several pieces around an address it is the last in the map:
 * code is generated again where other code was. Returns 0 or -ENOMEM.
 */
int generated_names_find(const struct generated_names *names, const uint64_t *addresses, size_t count,
			 struct generated_name *found);

#endif
