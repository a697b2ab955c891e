/* SPDX-License-Identifier: GPL-2.0-only */
/* The servers of debug files that the environment names: debuginfod(8). */
#ifndef SCALER_TARGET_DEBUG_SERVERS_H
#define SCALER_TARGET_DEBUG_SERVERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/patience.h"

/* The environment's DEBUGINFOD_URLS, or NULL: none are asked. */
const char *debug_servers(void);

/* From now on none are asked. No search for debug files may be under way. */
void debug_servers_forget(void);

/*
 * Asks them for the debug file of that build. What they send is progress of the work, which ends it. Returns a descriptor
 * that the caller closes, or -ENOENT.
 */
int debug_servers_fetch(const uint8_t *build_id, size_t size, struct patient_work *work);

#endif
