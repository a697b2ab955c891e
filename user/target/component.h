/* SPDX-License-Identifier: GPL-2.0-only */
/* A component's name, path and file, from its description by the kernel side or by /proc/PID/maps. */
#ifndef SCALER_TARGET_COMPONENT_H
#define SCALER_TARGET_COMPONENT_H

#include <stdbool.h>

#include <scaler/component.h>

#include "base/kernel_path.h"

/* The file's name without its directory, or "[vdso]", "[vdso32]", "[anonymous code]", "[uprobes]", "[kernel]", "[tracer]", "[unknown]". Not trusted. */
const char *component_name(const struct scaler_component *component);

/* Its path, or NULL if it has none or is too long to be known. Not trusted. */
const char *component_path(const struct scaler_component *component, char buffer[KERNEL_PATH_TEXT_SIZE]);

/* Whether it is the C library, or what loads libraries, by its name; or the kernel's own library. */
bool component_is_runtime(const struct scaler_component *component);

bool component_has_build_id(const struct scaler_component *component);

#define COMPONENT_BUILD_ID_TEXT_SIZE (2 * SCALER_BUILD_ID_SIZE + 1)

/* Hexadecimal. */
void component_format_build_id(const __u8 build_id[SCALER_BUILD_ID_SIZE],
			       char text[COMPONENT_BUILD_ID_TEXT_SIZE]);

/* Reads an open file's build-id, padded with zeros. False: it has none. */
bool component_read_build_id(int fd, __u8 build_id[SCALER_BUILD_ID_SIZE]);

/*
 * Opens the component's file for reading: through a process that has it mapped if that still lives,
 * else by its path. Returns a descriptor that the caller closes; -ESTALE if the path leads to
 * another file by now, -ENOENT if there is none, or another negative errno.
 */
int component_open(const struct scaler_component *component);

#endif
