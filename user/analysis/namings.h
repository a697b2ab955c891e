/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads under the names that they are put together by. */
#ifndef SCALER_ANALYSIS_NAMINGS_H
#define SCALER_ANALYSIS_NAMINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/thread_summary.h"

struct named_thread {
	const struct thread_row *row;
	const char
		*name; /* its own or its process's, the row's that has it; or one for all of the kernel's */
	char merged[SCALER_COMM_SIZE]; /* with # for each number: name_group.h */
};

/* All zero at first. */
struct namings {
	struct named_thread *items; /* owned; in the order of serial numbers */
	size_t count;
};

/*
 * Each thread by its own name; or, by processes, by the name of its process's main thread, or of the one that is known
 * instead. The summary must outlive the namings. Returns 0, or -ENOMEM with nothing to clear.
 */
int namings_make(const struct thread_summary *summary, bool by_processes, struct namings *namings);
void namings_clear(struct namings *namings);

/* Brings them in another order: a process's threads side by side, its main thread first. */
void namings_sort_by_process(struct namings *namings);

#endif
