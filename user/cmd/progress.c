// SPDX-License-Identifier: GPL-2.0-only
/* What a recording has seen so far, on one line of a terminal. */
#include "cmd/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status_line.h"
#include "model/syscalls.h"

#define SHOWN_WAITS 3
#define WAITS_SIZE  320

void progress_begin(struct progress *progress, const struct options *options)
{
	bool prints = options->report.stream && !options->output && isatty(STDOUT_FILENO);

	*progress = (struct progress){ .has_waits = options->records_blocking };
	pthread_mutex_init(&progress->lock, NULL);
	if (!options->target.command && !options->verbose && !prints)
		progress->is_shown = status_line_begin();
}

void progress_take(void *context, const struct scaler_blocking_interval *interval)
{
	struct progress *progress = context;

	pthread_mutex_lock(&progress->lock);
	hot_waits_add(&progress->waits, interval);
	pthread_mutex_unlock(&progress->lock);
}

/* ", longest: get-0..7 futex 8.2 s, saver fdatasync 1.2 s". Returns how many intervals there were. */
static uint64_t format_waits(struct progress *progress, char text[WAITS_SIZE])
{
	size_t count, length;
	uint64_t intervals;

	*text = '\0';
	pthread_mutex_lock(&progress->lock);
	intervals = progress->waits.intervals;
	count = hot_waits_sort(&progress->waits, SHOWN_WAITS);
	for (size_t i = 0; i < count; i++) {
		const struct hot_wait *row = &progress->waits.rows[i];
		char name[SYSCALL_NAME_SIZE], group[NAME_GROUP_SIZE];

		length = strlen(text);
		snprintf(text + length, WAITS_SIZE - length, "%s%s %s %.1f s",
			 i ? ", " : ", longest: ", name_group_format(&row->names, group),
			 row->is_in_call ? syscall_format(row->call.abi, row->call.number, name) : "memory",
			 (double)row->total_ns / 1e9);
	}
	pthread_mutex_unlock(&progress->lock);
	return intervals;
}

void progress_show(struct progress *progress, const struct recorder *recorder, bool is_recording)
{
	uint64_t lost = 0, now_ns = clock_now_ns(), intervals;
	char waits[WAITS_SIZE], counts[64] = "", losses[64] = "";

	if (!progress->is_shown)
		return;
	if (!is_recording) {
		status_line_show("ready to record; Ctrl-C ends it");
		return;
	}
	progress->start_ns = progress->start_ns ?: now_ns;
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++)
		lost += recorder_losses(recorder, cause);
	intervals = format_waits(progress, waits);
	if (progress->has_waits)
		snprintf(counts, sizeof(counts), ", %" PRIu64 " waits", intervals);
	if (lost)
		snprintf(losses, sizeof(losses), ", %" PRIu64 " lost", lost);
	status_line_show("recording %" PRIu64 " s%s%s%s; Ctrl-C ends it",
			 (now_ns - progress->start_ns) / 1000000000, counts, losses, waits);
}

void progress_end(struct progress *progress)
{
	status_line_end();
	progress->is_shown = false;
}
