/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Feeds the makers of wait-for chains and of the list of blocking intervals, so that neither keeps more of a long
 * recording than it needs: while it is recorded, and with each reading.
 */
#ifndef SCALER_CMD_CHAIN_FEED_H
#define SCALER_CMD_CHAIN_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/chain_builder.h"
#include "analysis/report_options.h"
#include "model/blocking_intervals.h"
#include "probe/recorder.h"
#include "stream/event_reader.h"

/* Between two looks at what has come, if chains are made. */
#define CHAIN_FEED_PERIOD_NS 1000000000

struct chain_feed {
	struct chain_builder chains;
	struct blocking_intervals
		kept;       /* since the last report, for a list of them; empty if none is asked for */
	unsigned int parts; /* enum report_part */
	uint64_t reported_until_ns; /* the end of the last report; 0: there was none */
};

/* The options must outlive the feed. */
void chain_feed_begin(struct chain_feed *feed, const struct report_options *options);

/* Takes what has come since, if it is much. Returns 0 or a negative errno. */
int chain_feed_take(struct chain_feed *feed, const struct recorder *recorder, struct event_reader *reader);

/*
 * Takes the intervals of a difference, if waits are followed. Of those that have not ended only the last one's are taken:
 * others come again in the next. Returns 0 or -ENOMEM.
 */
int chain_feed_add(struct chain_feed *feed, struct profile *difference, bool is_last);

/*
 * Takes the intervals of what is reported next. It leaves in the profile all those since the last report, if a list is
 * made of them, else none. Returns 0 or -ENOMEM.
 */
int chain_feed_finish(struct chain_feed *feed, struct profile *profile);

/* The profile has been reported. */
void chain_feed_next(struct chain_feed *feed, const struct profile *profile);

void chain_feed_clear(struct chain_feed *feed);

#endif
