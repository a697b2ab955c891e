/* SPDX-License-Identifier: GPL-2.0-only */
/* Library functions, described to the kernel side. */
#ifndef SCALER_PROBE_LIBRARY_DESCRIPTION_H
#define SCALER_PROBE_LIBRARY_DESCRIPTION_H

#include <stdint.h>

#include "probe/library_probes.h"

/* Its links have changed: what a hit of each of its functions takes by now, and what tells that a call has ended. */
void library_describe_links(const struct library_probes *probes, uint32_t file);

#endif
