/* SPDX-License-Identifier: GPL-2.0-only */
/* System calls by the library functions, of those that are timed, in whose calls they were made. */
#ifndef SCALER_ANALYSIS_LIBRARY_SYSCALLS_H
#define SCALER_ANALYSIS_LIBRARY_SYSCALLS_H

#include <stddef.h>

#include "analysis/report_options.h"
#include "analysis/time_figures.h"
#include "model/profile.h"

struct library_syscall {
	enum scaler_abi abi;
	unsigned int number;
	enum scaler_descriptor descriptor;
	struct time_figures
		figures;          /* in the function and all that it called; once, however often it is open */
	struct time_figures self; /* where it was the innermost: summed over functions none is twice */
};

struct library_syscalls_row {
	uint32_t function; /* its number */
	struct time_figures figures;
	struct time_figures self;
	const struct library_syscall *calls; /* in library_syscalls.calls, longest total first */
	size_t call_count;
};

struct library_syscalls {
	struct library_syscalls_row *rows; /* owned; sorted */
	size_t row_count;
	struct library_syscall *calls; /* owned */
	struct time_figures outside;   /* in no call of a timed function */
	struct time_figures total;     /* all system calls: of outside and of all rows' self */
};

/* Rows are sorted by their figures. Returns 0, or -ENOMEM with nothing to clear. */
int library_syscalls_make(const struct profile *profile, enum sort_key sort,
			  struct library_syscalls *syscalls);
void library_syscalls_clear(struct library_syscalls *syscalls);

#endif
