// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf report FILE": reports what is in a recording file. */
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/presenter.h"
#include "model/syscalls.h"
#include "trace/file_reader.h"

struct replay {
	const struct options *options;
	struct file_reader reader;
	struct presenter presenter;
	uint64_t next_ns;  /* when a report is due; 0: at the end alone */
	uint64_t reported; /* blocks whose loss is in a report */
	uint64_t end_ns;   /* of what was read */
	uint64_t start_ns;
};

/* Returns a descriptor, or -1 after an error message. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0) {
		log_error("cannot read the recording '%s': %s%s", path, strerror(errno),
			  errno == ENOENT ? "; scaler-bpf record makes one" : "");
		return -1;
	}
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return fd;
	log_error("cannot read the recording '%s': it is no regular file", path);
	close(fd);
	return -1;
}

static int explain_beginning(const struct replay *replay, int err)
{
	const struct file_flaws *flaws = &replay->reader.flaws;
	const char *path = replay->options->recording;

	if (err == -EBADMSG && flaws->problem == TRACE_NO_BLOCK)
		log_error("'%s' is no recording of scaler-bpf; scaler-bpf record makes one", path);
	else if (err == -EBADMSG)
		log_error("cannot read the recording '%s': %s (at byte %" PRIu64 ")", path,
			  trace_problem_text(flaws->problem), flaws->at);
	else if (err)
		log_error("cannot read the recording '%s': %s", path, strerror(-err));
	return err;
}

/* What a report is made of, in the order of the bits. */
static const char *const recorded_names[] = { "system calls",
					      "stacks",
					      "whole stacks",
					      "CPU samples",
					      "calls of library functions",
					      "waits",
					      "waits one by one",
					      "who woke whom",
					      "what waits were made of" };

/* That a report which is named cannot be made. */
static int check_parts(const struct replay *replay)
{
	const struct options *options = replay->options;
	unsigned int recorded = replay->reader.recording.recorded;
	unsigned int asked = (options->named & ~(unsigned int)REPORT_NAMED_ALL) | options->asks;

	for (enum report_part_id part = 0; part < REPORT_PART_COUNT; part++) {
		unsigned int lacks = report_parts[part].needs & NEEDS_RECORDED & ~recorded;

		if (!(asked & 1U << part) || !lacks)
			continue;
		log_error("the %s report needs %s, which '%s' does not have; scaler-bpf record %s",
			  report_parts[part].name, recorded_names[__builtin_ctz(lacks)], options->recording,
			  lacks & RECORDED_PROBES ? "has them with --calls" : "has them by default");
		return -1;
	}
	if (replay->reader.recording.machine == RECORDING_MACHINE)
		return 0;
	log_error("'%s' was recorded on another kind of machine, whose system calls have other numbers: use "
		  "scaler-bpf there",
		  options->recording);
	return -1;
}

/* Those that can be made of what was recorded. */
static struct report_options choose_parts(const struct replay *replay)
{
	struct report_options report = replay->options->report;
	unsigned int recorded = replay->reader.recording.recorded;

	for (enum report_part_id part = 0; part < REPORT_PART_COUNT; part++) {
		if (report_parts[part].needs & NEEDS_RECORDED & ~recorded)
			report.parts &= ~(1U << part);
	}
	if (!(recorded & RECORDED_GRAPH))
		report.parts &= ~(unsigned int)REPORT_SUMMARY_WAITS;
	return report;
}

/* Blocks that were lost before what is reported now. */
static void add_lost(struct replay *replay)
{
	uint64_t lost = replay->reader.flaws.lost;

	replay->presenter.whole.profile.losses[SCALER_LOSS_FILE] += lost - replay->reported;
	replay->reported = lost;
}

static int report_sum(struct replay *replay, bool is_last)
{
	const struct places *places = chunk_reader_places(&replay->reader.chunks);

	if (!places)
		return -ENOMEM;
	add_lost(replay);
	return is_last ? presenter_report_all(&replay->presenter, places) :
			 presenter_report_sum(&replay->presenter, places);
}

/* Whether a report is due at the end of what was read. */
static bool ends_interval(struct replay *replay)
{
	uint64_t interval_ns = replay->options->interval_ns;

	if (!interval_ns)
		return false;
	replay->next_ns = replay->next_ns ?: replay->start_ns + interval_ns;
	if (replay->end_ns < replay->next_ns)
		return false;
	replay->next_ns += (replay->end_ns - replay->next_ns) / interval_ns * interval_ns + interval_ns;
	return true;
}

static int take_marks(struct replay *replay, const struct marks *marks)
{
	int err = 0;

	/* What could not be was refused as it was recorded. */
	for (size_t i = 0; i < marks->count && err != -ENOMEM; i++)
		err = regions_mark(&replay->presenter.regions, &marks->items[i]);
	return err == -ENOMEM ? err : 0;
}

static int take(struct replay *replay, struct chunk *chunk, bool is_last)
{
	struct profile *difference = &chunk->difference;
	int err = take_marks(replay, &chunk->marks);
	bool is_due;

	replay->start_ns = replay->start_ns ?: difference->window.start_ns;
	replay->end_ns = difference->window.end_ns;
	is_due = !is_last && ends_interval(replay);
	err = err ?: presenter_take(&replay->presenter, difference, is_last || is_due);
	return err || !is_due ? err : report_sum(replay, false);
}

/* One chunk is read ahead, to know which is the last: it need not be the recording's. */
static int read_chunks(struct replay *replay)
{
	struct chunk chunk = { 0 }, next = { 0 };
	int state = file_reader_next(&replay->reader, &chunk), err = 0;
	bool is_empty = !state;

	while (state > 0 && !err) {
		state = file_reader_next(&replay->reader, &next);
		err = take(replay, &chunk, state <= 0);
		chunk_clear(&chunk);
		chunk = next;
		next = (struct chunk){ 0 };
	}
	chunk_clear(&chunk);
	if (state < 0 || err)
		return state < 0 ? state : err;
	if (is_empty)
		log_note("there is nothing in '%s' but how it was recorded", replay->options->recording);
	return is_empty ? 0 : report_sum(replay, true);
}

static void note_flaws(const struct replay *replay)
{
	const struct file_flaws *flaws = &replay->reader.flaws;
	const char *path = replay->options->recording;

	if (flaws->problem != TRACE_FINE && flaws->problem != TRACE_CUT)
		log_note("'%s' is damaged: %s (at byte %" PRIu64 "); %" PRIu64
			 " blocks are missing, and what "
			 "happened meanwhile",
			 path, trace_problem_text(flaws->problem), flaws->at, flaws->lost);
	if (!flaws->has_end)
		log_note("'%s' has no end: what recorded it was killed, had no room, or has not ended; the "
			 "first "
			 "%.1f s are there",
			 path, (double)(replay->end_ns - replay->start_ns) / 1e9);
	if (flaws->unknown)
		log_note("'%s' has %" PRIu64 " sections that only a later version of scaler-bpf can read",
			 path, flaws->unknown);
}

static int report(struct replay *replay)
{
	struct options options = *replay->options;
	int err = explain_beginning(replay, file_reader_begin(&replay->reader)) || check_parts(replay),
	    closed;

	if (err)
		return -1;
	options.report = choose_parts(replay);
	if (presenter_open(&replay->presenter, &options, -1))
		return -1;
	replay->presenter.recording = &replay->reader.recording;
	err = read_chunks(replay);
	if (err)
		log_error("cannot report '%s': %s", replay->options->recording, strerror(-err));
	else
		note_flaws(replay);
	closed = presenter_close(&replay->presenter);
	return err ?: closed;
}

int cmd_report(const struct options *options)
{
	struct replay replay = { .options = options, .reader = { .fd = open_file(options->recording) } };
	int fd = replay.reader.fd, err;

	if (fd < 0)
		return 1;
	err = report(&replay);
	file_reader_clear(&replay.reader);
	close(fd);
	return err ? 1 : 0;
}
