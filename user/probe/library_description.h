/* SPDX-License-Identifier: GPL-2.0-only */
/* Library functions, described to the kernel side. */
#ifndef SCALER_PROBE_LIBRARY_DESCRIPTION_H
#define SCALER_PROBE_LIBRARY_DESCRIPTION_H

#include <stdint.h>

#include "probe/library_probes.h"

/* The file's functions that are new. Those that cannot be probed are omitted; with an fd below 0, all. */
void library_describe_functions(const struct library_probes *probes, uint32_t file, int fd);

/* What a hit of each of the file's functions takes by now. */
void library_describe_costs(const struct library_probes *probes, uint32_t file);

#endif
