/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Closes links to uprobes without anybody waiting for it. A link's breakpoints are gone some milliseconds after its
 * close() has begun; that returns only when RCU says that no CPU runs the link's program any more, which is later, and
 * much later while a call is open whose return some other tracer has asked for.
 */
#ifndef SCALER_PROBE_UPROBE_CLOSING_H
#define SCALER_PROBE_UPROBE_CLOSING_H

#include <stdbool.h>
#include <stdint.h>

struct uprobe_closer;

/* Call it after any fork. Returns 0 or a negative errno. */
int uprobe_closer_open(struct uprobe_closer **closer);

/* Takes the link, and returns at once: its number among all that were taken, from 1. group is the caller's. */
uint64_t uprobe_closer_take(struct uprobe_closer *closer, int link, uint32_t group);

/* Waits until links with numbers up to that are hit no more, as far as can be seen; not for long in any case. */
void uprobe_closer_wait_gone(struct uprobe_closer *closer, uint64_t number);

/* Whether links of that group with numbers up to that may still run their programs. */
bool uprobe_closer_is_busy(struct uprobe_closer *closer, uint32_t group, uint64_t number);

/* Waits until all links are closed. closer may be NULL. */
void uprobe_closer_finish(struct uprobe_closer *closer);

#endif
