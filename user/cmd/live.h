/* SPDX-License-Identifier: GPL-2.0-only */
/* --live: blocking intervals printed as they end, by one reading after the other of the same recording. */
#ifndef SCALER_CMD_LIVE_H
#define SCALER_CMD_LIVE_H

#include "analysis/report.h"
#include "render/renderer.h"

struct live {
	struct renderer renderer;
	/* What no later reading has: of threads that have exited, and of intervals that were read. */
	uint64_t repaired;
	uint64_t unseen_wakeups;
	size_t left_out;
};

void live_begin(struct live *live, const struct renderer_ops *format, FILE *out);

/*
 * Prints what is new in a reading; in the last one also what has not ended, and the foot of the report. The places have
 * all of the reading's. Returns 0 or a negative errno; write errors stay in the stream.
 */
int live_print(struct live *live, struct profile *reading, const struct places *places,
	       const struct report_options *options, bool is_last);

#endif
