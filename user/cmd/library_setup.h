/* SPDX-License-Identifier: GPL-2.0-only */
/* The library functions whose calls are recorded: planned before the recorder is opened, then attached. */
#ifndef SCALER_CMD_LIBRARY_SETUP_H
#define SCALER_CMD_LIBRARY_SETUP_H

#include "model/library.h"
#include "model/profile.h"
#include "options/options.h"
#include "probe/governor.h"
#include "probe/library_alerts.h"
#include "probe/library_follower.h"
#include "probe/library_probes.h"
#include "probe/recorder.h"
#include "target/file_mappings.h"
#include "target/linked_files.h"

struct library_setup {
	struct linked_files files;
	struct plan plan;
	struct file_mappings mappings; /* for a command to inherit, until it is attached to */
	struct library_probes probes;
	struct library_alerts alerts;
	struct governor *governor; /* NULL: there are no probes */
	bool follows;
	struct library_follower follower;
	struct library_functions functions; /* its array is owned, the strings are the files' */
};

/*
 * Chooses the functions, if the options ask for any. All report their own errors, and return 0 or a negative errno;
 * the caller clears the setup in both cases.
 */
int library_setup_plan(struct library_setup *setup, const struct options *options);

/* How many functions there may come to be; 0: no calls are recorded. */
size_t library_setup_capacity(const struct library_setup *setup);

/* Attaches to what the target's processes have mapped, or the command (0: there is none) will. */
int library_setup_attach(struct library_setup *setup, const struct options *options,
			 const struct recorder *recorder, pid_t command);

/* In what time, in nanoseconds, library_setup_govern() is to be called first; 0: never. */
uint64_t library_setup_govern_in_ns(const struct library_setup *setup);
/* Becomes readable when it is to be called at once; -1: never. */
int library_setup_alert_fd(const struct library_setup *setup);
/*
 * Looks at other tracers, and takes out the probes that cost too much, or opens windows for these. Returns 0 or a
 * negative errno; *next_ns: when it is to be called again, by CLOCK_MONOTONIC.
 */
int library_setup_govern(struct library_setup *setup, uint64_t *next_ns);

/* Becomes readable when library_setup_follow() is to be called; -1: never. */
int library_setup_follow_fd(const struct library_setup *setup);
/*
 * Attaches to what the target has come to run. Returns 0 or a negative errno; *next_ns: when it is to be called again, by
 * CLOCK_MONOTONIC, 0: when that is readable.
 */
int library_setup_follow(struct library_setup *setup, uint64_t *next_ns);

/* After the recording: begins to take out all probes; the second waits until they are gone. */
void library_setup_detach(struct library_setup *setup);
void library_setup_close(struct library_setup *setup);

/* With what is known of their probes by now. NULL: no calls are recorded. */
const struct library_functions *library_setup_functions(struct library_setup *setup);

/* What is known by now of the windows in which those had probes that cost too much. */
struct scaler_sampling library_setup_sampling(struct library_setup *setup);

void library_setup_clear(struct library_setup *setup);

#endif
