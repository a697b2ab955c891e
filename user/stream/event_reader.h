/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the kernel side's events while it records, in a thread of its own: keeps the stacks that it names, its samples and
 * its blocking intervals, and where a walk is stuck has it finished (rule_teacher.h).
 */
#ifndef SCALER_STREAM_EVENT_READER_H
#define SCALER_STREAM_EVENT_READER_H

#include "model/blocking_intervals.h"
#include "model/samples.h"
#include "model/stacks.h"
#include "probe/recorder.h"

struct held_files;
struct event_reader;

/* Who looks at blocking intervals as they come, in the reader's thread; NULL: nobody. */
struct event_watch {
	void (*take)(void *context, const struct scaler_blocking_interval *interval);
	void *context;
};

/*
 * Begins to follow a recorder that walks stacks so far; it outlives the reader, as does the watch's context. signal_fd: once
 * it can be read, no file is waited for; -1: none. Returns 0 or a negative errno.
 */
int event_reader_start(struct event_reader **reader, const struct recorder *recorder,
		       struct scaler_stack_depth depth, const struct event_watch *watch, int signal_fd);

/*
 * Learns what a process has mapped, and holds those files, before it is recorded: it may end soon after that. PID: as
 * its caller sees it. What cannot be had now is learned when it is needed.
 */
void event_reader_meet_process(struct event_reader *reader, pid_t pid);

/*
 * Fills stacks, which is empty, with all that were named so far: those of every row that was read from the
 * recorder before; samples, which is too, with all that came so far; and blocking with the blocking intervals that
 * came since this was asked last. Returns 0 or -ENOMEM.
 */
int event_reader_read(struct event_reader *reader, struct stacks *stacks, struct samples *samples,
		      struct blocking_intervals *blocking);

/*
 * Fills blocking, which is empty, with the intervals that came since this or the other was asked last, if they are at
 * least so many. Returns 0 or -ENOMEM.
 */
int event_reader_take_intervals(struct event_reader *reader, size_t least,
				struct blocking_intervals *blocking);

/* The files of the components that were seen so far; valid as long as the reader. reader: NULL: it is NULL. */
struct held_files *event_reader_files(struct event_reader *reader);

/* Ends the thread, and frees all. */
void event_reader_stop(struct event_reader *reader);

#endif
