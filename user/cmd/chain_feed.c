// SPDX-License-Identifier: GPL-2.0-only
/* Feeds the makers of wait-for chains and of the list of blocking intervals. */
#include "cmd/chain_feed.h"

#include "stream/fold.h"

/* Fewer of them wait for the report. They take 67 MB. */
#define LEAST_INTERVALS (1 << 18)

/* What a summary alone keeps to explain its waits: 67 MB. */
#define SUMMARY_HISTORY_LIMIT (1 << 20)

/* What came before is there by now: a record is written at once, and read within this time unless much is behind. */
#define LAG_NS 100000000

void chain_feed_begin(struct chain_feed *feed, const struct report_options *options)
{
	bool is_summary = (options->parts & REPORT_GRAPH) == REPORT_SUMMARY_WAITS;

	*feed = (struct chain_feed){
		.chains = { .filter = &options->filter,
			    .history_ns = options->history_ns,
			    .history_limit = is_summary ? SUMMARY_HISTORY_LIMIT : CHAIN_HISTORY_LIMIT,
			    .explains = options->parts & REPORT_TREES },
		.parts = options->parts,
	};
}

/* Leaves the profile without them. */
static int keep(struct chain_feed *feed, struct profile *profile)
{
	int err = 0;

	/* Those that were dropped before they came here are counted as lost. */
	profile->blocking.dropped = 0;
	if (feed->parts & REPORT_LISTS)
		err = blocking_intervals_move(&feed->kept, &profile->blocking);
	blocking_intervals_clear(&profile->blocking);
	return err;
}

/* What of it is over by then is explained, and what nothing needs any longer forgotten. */
static int add(struct chain_feed *feed, struct profile *profile, uint64_t until_ns)
{
	int err;

	if (feed->reported_until_ns)
		profile->window.start_ns = feed->reported_until_ns;
	err = chain_builder_add(&feed->chains, profile)                                ?:
		      chain_builder_explain(&feed->chains, &profile->window, until_ns) ?:
											 keep(feed, profile);
	chain_builder_forget(&feed->chains, until_ns);
	return err;
}

int chain_feed_take(struct chain_feed *feed, const struct recorder *recorder, struct event_reader *reader)
{
	struct profile taken = { 0 };
	int err = fold_take_intervals(recorder, reader, LEAST_INTERVALS, &taken);

	if (!err && taken.blocking.count)
		err = add(feed, &taken, taken.window.end_ns - LAG_NS);
	profile_clear(&taken);
	return err;
}

/* Explained are those that ended before the difference before this one did: what comes late has come by then. */
int chain_feed_add(struct chain_feed *feed, struct profile *difference, bool is_last)
{
	const struct scaler_window window = difference->window;
	int err;

	if (!(feed->parts & REPORT_GRAPH))
		return 0;
	if (!is_last)
		blocking_intervals_drop_open(&difference->blocking);
	difference->window.start_ns = difference->recording_start_ns;
	err = add(feed, difference, window.start_ns);
	difference->window = window;
	return err;
}

int chain_feed_finish(struct chain_feed *feed, struct profile *profile)
{
	int err;

	if (!(feed->parts & REPORT_GRAPH))
		return 0;
	err = chain_builder_add(&feed->chains, profile) ?: keep(feed, profile);
	profile->losses[SCALER_LOSS_BLOCKING_KEPT] += feed->kept.dropped;
	profile->blocking = feed->kept;
	feed->kept = (struct blocking_intervals){ 0 };
	return err;
}

void chain_feed_next(struct chain_feed *feed, const struct profile *profile)
{
	feed->reported_until_ns = profile->window.end_ns;
	chain_builder_forget(&feed->chains, profile->window.end_ns);
	chain_builder_next(&feed->chains);
}

void chain_feed_clear(struct chain_feed *feed)
{
	chain_builder_clear(&feed->chains);
	blocking_intervals_clear(&feed->kept);
}
