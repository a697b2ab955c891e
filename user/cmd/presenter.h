/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what happened to reports of it, wherever that is known from: what a recorder reads, or a recording file tells. It
 * is one profile, or a sum of differences that are taken one after the other.
 */
#ifndef SCALER_CMD_PRESENTER_H
#define SCALER_CMD_PRESENTER_H

#include <stdbool.h>

#include "cmd/chain_feed.h"
#include "cmd/report_output.h"
#include "model/interval_sum.h"
#include "model/places.h"
#include "model/recording.h"
#include "model/regions.h"
#include "options/options.h"

struct presenter {
	const struct report_options *options; /* the caller's, as are the next two */
	const struct renderer_ops *format;
	const struct recording *recording;
	struct report_output output;
	struct chain_feed feed;
	struct interval_sum whole; /* since the last report: of what was taken */
	struct regions regions;
	bool has_reported;
};

/* A command's standard output is the command's. As report_output_open(). */
int presenter_open(struct presenter *presenter, const struct options *options, int signal_fd);

/* Whether waits are followed from one to the next, so that there is no part of them to leave out. */
bool presenter_follows_waits(const struct presenter *presenter);

/*
 * Adds a difference to the whole and to regions that are open. The waits of the last one that have not ended are reported
 * as such; those of others come again in the next. The difference may lose its intervals. This and the next return 0 or a
 * negative errno.
 */
int presenter_take(struct presenter *presenter, struct profile *difference, bool is_last);

/* The same of one whose waits the chain feed has by itself. */
int presenter_count(struct presenter *presenter, const struct profile *difference);

/* All that follow take places that have the names of all that is printed, and return 0 or a negative errno. */

/* Reports a profile, what came since the last report. Then the next begins. */
int presenter_report(struct presenter *presenter, struct profile *profile, const struct places *places);
/* The same of what was taken since, if something was. */
int presenter_report_sum(struct presenter *presenter, const struct places *places);
/* The same at the end, and before it the regions. */
int presenter_report_all(struct presenter *presenter, const struct places *places);

/* Returns 0, or -1 after a message on the first error that has occurred in writing. */
int presenter_close(struct presenter *presenter);

#endif
