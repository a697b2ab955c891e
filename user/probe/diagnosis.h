/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel lets this user do, tried out feature by feature. */
#ifndef SCALER_PROBE_DIAGNOSIS_H
#define SCALER_PROBE_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>

struct diagnosis_item {
	const char *name; /* for scripts: does not change */
	const char *title;
	bool required; /* to trace at all */
	bool available;
	char detail[96];    /* what was found; may be empty */
	const char *remedy; /* NULL if it is available */
};

/* What the tracer does in which way, as far as that depends on the kernel. */
struct diagnosis_way {
	const char *what;
	const char *how;
};

#define DIAGNOSIS_ITEMS_MAX 16
#define DIAGNOSIS_WAYS_MAX  6

struct diagnosis {
	struct diagnosis_item items[DIAGNOSIS_ITEMS_MAX];
	size_t item_count;
	struct diagnosis_way ways[DIAGNOSIS_WAYS_MAX];
	size_t way_count;
	bool can_trace; /* all BPF programs load and attach */
};

/*
 * Tries everything; what it attaches for that it detaches at once. Uprobes it puts on a function of its own
 * process only. If not all programs can be loaded, that is explained on standard error.
 */
void diagnosis_make(struct diagnosis *diagnosis);

#endif
