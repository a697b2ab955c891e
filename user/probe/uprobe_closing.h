/* SPDX-License-Identifier: GPL-2.0-only */
/* Closing links to instructions, which takes out their probes: the kernel takes its time for each. */
#ifndef SCALER_PROBE_UPROBE_CLOSING_H
#define SCALER_PROBE_UPROBE_CLOSING_H

#include <stddef.h>
#include <stdint.h>

/*
 * Closes links in threads of their own: the kernel first takes out the probes of each, some 25 us for one, and then waits
 * until no CPU runs its program, some 50 ms. The waits go on side by side. For perf events, some 100 ms each, nothing
 * does. If it lasts longer than 100 ms in all, *is_late becomes 1 until it is over.
 */
void uprobe_links_close(const int *links, size_t count, uint32_t *is_late);

/* The same meanwhile, one after the other, or when this process ends. */
void uprobe_links_close_behind(const int *links, size_t count);

#endif
