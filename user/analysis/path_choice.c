// SPDX-License-Identifier: GPL-2.0-only
/* Whose critical path is shown, and of which time. */
#include "analysis/path_choice.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Threads that are asked for: by a name or a number. */
struct wanted {
	const char *pattern; /* NULL: there is an id alone */
	char id[sizeof("4294967295")];
};

static bool is_of_process(const struct wanted *wanted, const struct scaler_thread *thread)
{
	char tgid[sizeof("4294967295")];

	snprintf(tgid, sizeof(tgid), "%" PRIu32, thread->tgid);
	return !strcmp(tgid, wanted->pattern ?: wanted->id);
}

static bool is_wanted(const struct wanted *wanted, const struct scaler_thread *thread)
{
	char comm[SCALER_COMM_SIZE + 1] = "", tid[sizeof("4294967295")];

	memcpy(comm, thread->comm, SCALER_COMM_SIZE);
	snprintf(tid, sizeof(tid), "%" PRIu32, thread->tid);
	if (!wanted->pattern)
		return !strcmp(tid, wanted->id);
	return !fnmatch(wanted->pattern, comm, 0) || !strcmp(wanted->pattern, tid);
}

static uint64_t end_of(const struct scaler_thread *thread)
{
	return thread->end_ns ?: UINT64_MAX;
}

static bool is_later(const struct scaler_thread *thread, const struct scaler_thread *than)
{
	if (!than || end_of(thread) != end_of(than))
		return !than || end_of(thread) > end_of(than);
	return thread->tid < than->tid;
}

static const struct scaler_thread *find_last(const struct profile *profile, const struct wanted *wanted,
					     bool (*fits)(const struct wanted *,
							  const struct scaler_thread *))
{
	const struct scaler_thread *last = NULL;

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct scaler_thread *thread = &profile->threads[i];

		if (fits(wanted, thread) && is_later(thread, last))
			last = thread;
	}
	return last;
}

static uint64_t start_of_process(const struct profile *profile, uint32_t tgid)
{
	uint64_t start_ns = UINT64_MAX;

	for (size_t i = 0; i < profile->thread_count; i++) {
		if (profile->threads[i].tgid == tgid && profile->threads[i].start_ns < start_ns)
			start_ns = profile->threads[i].start_ns;
	}
	return start_ns;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct path_choice path_choose(const struct profile *profile, const struct path_options *options)
{
	uint64_t begin_ns = profile->recording_start_ns;
	struct wanted wanted = { .pattern = options->task };
	struct path_choice choice = { 0 };
	uint64_t until_ns = options->until_ns ? begin_ns + options->until_ns : UINT64_MAX;

	snprintf(wanted.id, sizeof(wanted.id), "%" PRIu32, (uint32_t)options->target);
	choice.thread = find_last(profile, &wanted, is_of_process);
	choice.is_process = choice.thread;
	if (!choice.thread)
		choice.thread = find_last(profile, &wanted, is_wanted);
	if (!choice.thread)
		return choice;
	choice.from_ns =
		choice.is_process ? start_of_process(profile, choice.thread->tgid) : choice.thread->start_ns;
	choice.from_ns = later(choice.from_ns, later(profile->window.start_ns, begin_ns + options->since_ns));
	choice.to_ns = earlier(end_of(choice.thread), earlier(profile->window.end_ns, until_ns));
	choice.from_ns = earlier(choice.from_ns, choice.to_ns);
	return choice;
}
