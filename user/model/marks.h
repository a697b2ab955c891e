/* SPDX-License-Identifier: GPL-2.0-only */
/* What somebody outside has reported of a recording while it went on: names of moments, beginnings and ends of regions. */
#ifndef SCALER_MODEL_MARKS_H
#define SCALER_MODEL_MARKS_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of the recording file. */
enum mark_kind {
	MARK_MOMENT,
	MARK_BEGIN,
	MARK_END,
	MARK_KINDS,
};

struct mark {
	enum mark_kind kind;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	char *name;       /* owned; not trusted */
};

/* All zero at first; in the order in which they came. */
struct marks {
	struct mark *items; /* owned */
	size_t count;
	size_t capacity;
};

/* Takes a copy of the name. Returns 0 or -ENOMEM. */
int marks_add(struct marks *marks, enum mark_kind kind, uint64_t time_ns, const char *name);
void marks_clear(struct marks *marks);

#endif
