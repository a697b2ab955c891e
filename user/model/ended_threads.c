// SPDX-License-Identifier: GPL-2.0-only
/* What threads have left that have ended since the last reading: by themselves, or by their names. */
#include "model/ended_threads.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/call_stats.h"
#include "model/row_order.h"

/* Of threads or groups, without those that calls are open in: the thread brings its own. */
static int add_rows(struct profile *to, const struct profile *from)
{
	int err = 0;

	for (size_t i = 0; i < from->call_count && !err; i++)
		err = profile_add_call(to, &from->calls[i].key, &from->calls[i].stats);
	for (size_t i = 0; i < from->library_call_count && !err; i++)
		err = profile_add_call(to, &from->library_calls[i].key, &from->library_calls[i].stats);
	for (size_t i = 0; i < from->error_count && !err; i++)
		err = profile_add_error(to, &from->errors[i].key, from->errors[i].count);
	return err;
}

static int add_alone(struct profile *to, const struct profile *from)
{
	int err = add_rows(to, from);

	for (size_t i = 0; i < from->thread_count && !err; i++)
		err = profile_add_thread(to, &from->threads[i]);
	return err;
}

static size_t row_count(const struct profile *profile)
{
	return profile->call_count + profile->library_call_count;
}

/* The fewer names are left the more threads share one: worker-1 and worker-2, and then all. */
static void choose_name(const struct ended_threads *ended, char comm[SCALER_COMM_SIZE])
{
	size_t group_bytes = sizeof(struct profile_group);

	if (ended->groups.count < ENDED_GROUPS_MAX / 2 ||
	    distinct_find(&ended->groups, comm, SCALER_COMM_SIZE, group_bytes) != SIZE_MAX)
		return;
	for (size_t i = 0; i < SCALER_COMM_SIZE; i++)
		comm[i] = (char)(isdigit((unsigned char)comm[i]) ? '#' : comm[i]);
	if (ended->groups.count + 1 < ENDED_GROUPS_MAX ||
	    distinct_find(&ended->groups, comm, SCALER_COMM_SIZE, group_bytes) != SIZE_MAX)
		return;
	memcpy(comm, (const char[SCALER_COMM_SIZE]){ "others" }, SCALER_COMM_SIZE);
}

/* The serial of the thread's group; 0: no memory. */
static uint32_t group_of_thread(struct ended_threads *ended, const struct scaler_thread *thread)
{
	struct profile_group *group;
	char comm[SCALER_COMM_SIZE];
	size_t length = strnlen(thread->comm, SCALER_COMM_SIZE), index;

	memset(comm, 0, sizeof(comm));
	memcpy(comm, thread->comm, length);
	choose_name(ended, comm);
	index = distinct_add(&ended->groups, comm, sizeof(comm), sizeof(*group));
	if (index == SIZE_MAX)
		return 0;
	group = (struct profile_group *)ended->groups.items + index;
	group->serial = PROFILE_FIRST_GROUP + ended->groups_before + (uint32_t)index;
	return group->serial;
}

/* Its rows can be a group's. */
static bool can_be_grouped(const struct ended_threads *ended, const struct scaler_thread *thread)
{
	return thread && thread->serial > ended->last_read;
}

static int group_call(struct ended_threads *ended, const struct scaler_thread *thread,
		      const struct scaler_call_key *key, const struct scaler_call_stats *stats)
{
	struct scaler_call_key grouped = *key;
	size_t index;

	grouped.task = group_of_thread(ended, thread);
	index = grouped.task ?
			distinct_add(&ended->calls, &grouped, sizeof(grouped), sizeof(struct profile_call)) :
			SIZE_MAX;
	if (index == SIZE_MAX)
		return -ENOMEM;
	call_stats_add(&((struct profile_call *)ended->calls.items)[index].stats, stats);
	return 0;
}

/* Those of threads that cannot be grouped stay. */
static int group_calls(struct ended_threads *ended, struct profile_call *calls, size_t *count)
{
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < *count && !err; i++) {
		const struct scaler_thread *thread = profile_find_thread(&ended->alone, calls[i].key.task);

		if (can_be_grouped(ended, thread))
			err = group_call(ended, thread, &calls[i].key, &calls[i].stats);
		else
			calls[kept++] = calls[i];
	}
	*count = kept;
	return err;
}

/* Of a thread that has ended it returns no more. */
static int group_open_calls(struct ended_threads *ended)
{
	struct profile *alone = &ended->alone;
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < alone->open_call_count && !err; i++) {
		const struct profile_open_call *open = &alone->open_calls[i];
		const struct scaler_thread *thread = profile_find_thread(alone, open->key.task);
		const struct scaler_call_stats stats = { .partial = open->figures };

		if (can_be_grouped(ended, thread))
			err = group_call(ended, thread, &open->key, &stats);
		else
			alone->open_calls[kept++] = *open;
	}
	alone->open_call_count = kept;
	return err;
}

static int group_errors(struct ended_threads *ended)
{
	struct profile *alone = &ended->alone;
	size_t kept = 0, index = 0;

	for (size_t i = 0; i < alone->error_count && index != SIZE_MAX; i++) {
		struct scaler_error_key key = alone->errors[i].key;
		const struct scaler_thread *thread = profile_find_thread(alone, key.call.task);

		if (!can_be_grouped(ended, thread)) {
			alone->errors[kept++] = alone->errors[i];
			continue;
		}
		key.call.task = group_of_thread(ended, thread);
		index = key.call.task ? distinct_add(&ended->errors, &key, sizeof(key),
						     sizeof(struct profile_error)) :
					SIZE_MAX;
		if (index != SIZE_MAX)
			((struct profile_error *)ended->errors.items)[index].count += alone->errors[i].count;
	}
	alone->error_count = kept;
	return index == SIZE_MAX ? -ENOMEM : 0;
}

static int keep_grouped(struct ended_threads *ended, const struct scaler_thread *thread)
{
	struct scaler_thread *threads;

	if (ended->grouped_count >= ENDED_THREADS_MAX) {
		ended->lost++;
		return 0;
	}
	threads = array_reserve(ended->grouped, ended->grouped_count, &ended->grouped_capacity,
				sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	ended->grouped = threads;
	threads[ended->grouped_count] = *thread;
	/* A group's row has it. */
	threads[ended->grouped_count++].call.enter_ns = 0;
	return 0;
}

static int group_threads(struct ended_threads *ended)
{
	struct profile *alone = &ended->alone;
	size_t kept = 0;
	int err = 0;

	for (size_t i = 0; i < alone->thread_count && !err; i++) {
		const struct scaler_thread thread = alone->threads[i];
		uint32_t serial;

		if (!can_be_grouped(ended, &thread)) {
			alone->threads[kept++] = thread;
			continue;
		}
		serial = group_of_thread(ended, &thread);
		if (!serial)
			return -ENOMEM;
		((struct profile_group *)
			 ended->groups.items)[serial - PROFILE_FIRST_GROUP - ended->groups_before]
			.threads++;
		err = keep_grouped(ended, &thread);
	}
	alone->thread_count = kept;
	return err;
}

/* Threads last: by them it is known whose rows are whose. */
static int group_all(struct ended_threads *ended)
{
	struct profile *alone = &ended->alone;

	row_order_sort_threads(alone);
	return group_calls(ended, alone->calls, &alone->call_count)                         ?:
		       group_calls(ended, alone->library_calls, &alone->library_call_count) ?:
		       group_open_calls(ended)                                              ?:
		       group_errors(ended)                                                  ?:
		       group_threads(ended);
}

int ended_threads_add(struct ended_threads *ended, const struct profile *taken)
{
	int err = add_alone(&ended->alone, taken);

	if (!err && (row_count(&ended->alone) > ENDED_ROWS_MAX || ended->alone.thread_count > ENDED_ROWS_MAX))
		err = group_all(ended);
	return err;
}

static int add_groups(const struct ended_threads *ended, struct profile *reading)
{
	const struct profile_group *groups = ended->groups.items;
	const struct profile_call *calls = ended->calls.items;
	const struct profile_error *errors = ended->errors.items;
	int err = 0;

	for (size_t i = 0; i < ended->groups.count && !err; i++)
		err = profile_add_group(reading, &groups[i]);
	for (size_t i = 0; i < ended->calls.count && !err; i++)
		err = profile_add_call(reading, &calls[i].key, &calls[i].stats);
	for (size_t i = 0; i < ended->errors.count && !err; i++)
		err = profile_add_error(reading, &errors[i].key, errors[i].count);
	for (size_t i = 0; i < ended->grouped_count && !err; i++)
		err = profile_add_thread(reading, &ended->grouped[i]);
	return err;
}

/* Frees what is kept; what is known of the recording stays. */
static void empty(struct ended_threads *ended)
{
	profile_clear(&ended->alone);
	free(ended->grouped);
	ended->grouped = NULL;
	ended->grouped_count = ended->grouped_capacity = 0;
	distinct_clear(&ended->groups);
	distinct_clear(&ended->calls);
	distinct_clear(&ended->errors);
}

int ended_threads_move(struct ended_threads *ended, struct profile *reading)
{
	/* All the threads of a name, or each by itself. */
	int err = ended->groups.count ? group_all(ended) : 0;

	if (!err)
		err = add_alone(reading, &ended->alone) ?: add_groups(ended, reading);
	row_order_sort_threads(reading);
	reading->losses[SCALER_LOSS_THREADS_KEPT] = ended->lost;
	ended->groups_before += (uint32_t)ended->groups.count;
	if (reading->thread_count)
		ended->last_read = reading->threads[reading->thread_count - 1].serial;
	empty(ended);
	return err;
}

void ended_threads_clear(struct ended_threads *ended)
{
	empty(ended);
	*ended = (struct ended_threads){ 0 };
}
