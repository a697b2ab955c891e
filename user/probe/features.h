/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel and user can do, where BTF, /proc or /sys tells. */
#ifndef SCALER_PROBE_FEATURES_H
#define SCALER_PROBE_FEATURES_H

#include <stdbool.h>

/* True if the sched_switch tracepoint passes the state that the outgoing task is left in (5.18). */
bool features_switch_passes_state(void);

/* Which of the capabilities for tracing this process lacks, as a sentence; NULL: none. */
const char *features_missing_capabilities(void);

/* How far the kernel is locked down: "none", "integrity", or "confidentiality", with which BPF programs may
 * not read its memory. */
const char *features_lockdown(void);

/* Whether BPF programs can look up the mapping that an address lies in (5.17). */
bool features_finds_mappings(void);

/* Whether they can sleep, and read the memory of other tasks meanwhile (5.18). */
bool features_reads_other_tasks(void);

/* Whether one link can probe many functions of a file (6.6). */
bool features_uprobe_multi(void);

/* Whether a probe can choose at a function's entry if it is to see the return (6.13), without harm to programs that filter their system calls (6.14), on a machine of ours. */
bool features_library_returns(void);

/* Whether they can walk stacks of user space, for which they also loop (5.17), on a machine of ours. */
bool features_walk_stacks(void);

#endif
