/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what is recorded to reports of it: of the whole, of what has come since the last report, and of regions that
 * somebody marks. While reports can be asked for at any moment, each border between them is a reading.
 */
#ifndef SCALER_CMD_REPORTING_H
#define SCALER_CMD_REPORTING_H

#include <stdbool.h>
#include <sys/types.h>

#include "cmd/library_setup.h"
#include "cmd/live.h"
#include "cmd/presenter.h"
#include "cmd/recording_output.h"
#include "cmd/trigger.h"
#include "model/ended_threads.h"
#include "model/places.h"
#include "model/recording.h"
#include "options/options.h"
#include "probe/recorder.h"
#include "stream/event_reader.h"
#include "symbolize/symbolize.h"
#include "target/symbol_search.h"

struct reporting {
	const struct options *options;
	/* The caller's, set once there are any. */
	struct recorder *recorder;
	struct event_reader *reader; /* NULL: no stacks, samples and blocking intervals are recorded */
	struct library_setup *library;
	struct recording recording;
	bool is_recording; /* has begun */

	bool is_paused;              /* what happens does not count */
	struct profile last_reading; /* empty before the first */
	struct ended_threads ended;  /* since that */
	struct presenter presenter;
	struct recording_output saved;
	struct trigger trigger;
	struct marks unsaved; /* since the last cut */
	struct places places; /* of all reports so far */
	struct symbol_search search;
	struct symbolizer symbolizer;
	struct live live;
	bool has_explained; /* an error, by a message */
};

/* A command's standard output is the command's. The descriptor tells of signals. Returns 0, or -1 after an error message. */
int reporting_open(struct reporting *reporting, const struct options *options, int signal_fd);

/* All is in place, and what the recording is is known. Returns as the next. */
int reporting_begin(struct reporting *reporting);

/* Saves what has come since the last cut: to be called every REPORTING_CUT_NS, if it is saved. */
int reporting_cut(struct reporting *reporting);
#define REPORTING_CUT_NS 1000000000

/*
 * Saves what is kept, in a file of that name or, NULL, one that is numbered. *reason: why that was not done, NULL: it was.
 */
int reporting_save(struct reporting *reporting, const char *path, const char **reason);

/* Keeps from growing what waits for the next report. All that follow return 0, or a negative errno after an error message. */
int reporting_take(struct reporting *reporting);

/* The same in the kernel, where ended threads' rows fill maps: to be called every FOLD_ROOM_PERIOD_NS. */
int reporting_make_room(struct reporting *reporting);

/* Reports what has come since the last report. That nobody can read it is an error. */
int reporting_make(struct reporting *reporting);
/* The same at the end, and before it the regions. */
int reporting_make_last(struct reporting *reporting);

/* Says where the recording is, and how large. */
void reporting_say_saved(const struct reporting *reporting);

/*
 * From now on nothing counts, or everything again. Refused is what these options do not allow: *reason says why, and
 * NULL that it was done. The same of marks.
 */
int reporting_pause(struct reporting *reporting, const char **reason);
int reporting_go_on(struct reporting *reporting, const char **reason);
int reporting_mark(struct reporting *reporting, const struct mark *mark, const char **reason);

/* Returns 0, or -1 after a message on the first error that has occurred in writing. */
int reporting_close(struct reporting *reporting);

#endif
