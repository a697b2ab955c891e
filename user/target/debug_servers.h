/* SPDX-License-Identifier: GPL-2.0-only */
/* The servers of debug files that the environment names: debuginfod(8). */
#ifndef SCALER_TARGET_DEBUG_SERVERS_H
#define SCALER_TARGET_DEBUG_SERVERS_H

#include <stdbool.h>

#include <elfutils/libdwfl.h>

#include "base/patience.h"

/* The environment's DEBUGINFOD_URLS, or NULL: none are asked. */
const char *debug_servers(void);

/* From now on none are asked. No search for debug files may be under way. */
void debug_servers_forget(void);

/* What they send for the files of a Dwfl counts as progress of that work, which ends their sending. */
void debug_servers_watch(Dwfl *dwfl, struct patient_work *work);

#endif
