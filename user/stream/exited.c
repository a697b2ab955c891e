// SPDX-License-Identifier: GPL-2.0-only
/* Reads the rows of threads, and takes those of exited ones out of the kernel. */
#include "stream/exited.h"

#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "base/array.h"
#include "stream/map_rows.h"

int thread_list_add(struct thread_list *threads, const struct scaler_thread *thread)
{
	struct scaler_thread *items =
		array_reserve(threads->items, threads->count, &threads->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	threads->items = items;
	items[threads->count++] = *thread;
	return 0;
}

static int compare_threads(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return array_order(a->serial, b->serial) ?: array_order(a->since_ns, b->since_ns);
}

static int compare_serials(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return array_order(a->serial, b->serial);
}

void thread_list_sort(struct thread_list *threads)
{
	if (threads->count)
		qsort(threads->items, threads->count, sizeof(*threads->items), compare_threads);
}

void thread_list_clear(struct thread_list *threads)
{
	free(threads->items);
	*threads = (struct thread_list){ 0 };
}

/* NULL stands for all threads. */
static bool threads_have(const struct thread_list *threads, uint32_t serial)
{
	const struct scaler_thread key = { .serial = serial };

	if (!threads)
		return true;
	return threads->count && bsearch(&key, threads->items, threads->count, sizeof(key), compare_serials);
}

/* Some threads, and where their rows go. */
struct taking {
	const struct thread_list *threads;
	struct profile *profile;
};

static int take_call(void *context, const void *key, const void *stats)
{
	const struct taking *taking = context;
	const struct scaler_call_key *call = key;

	return threads_have(taking->threads, call->task) ? profile_add_call(taking->profile, call, stats) : 0;
}

static int take_error(void *context, const void *key, const void *count)
{
	const struct taking *taking = context;
	const struct scaler_error_key *error = key;

	return threads_have(taking->threads, error->call.task) ?
		       profile_add_error(taking->profile, error, *(const uint64_t *)count) :
		       0;
}

static int read_near_calls(const struct recorder *recorder, struct taking *taking)
{
	const struct scaler_call_row *rows;
	size_t count;
	int err = 0;

	rows = recorder_near_rows(recorder, &count);
	for (size_t i = 0; i < count && !err; i++) {
		if (__atomic_load_n(&rows[i].key.task, __ATOMIC_ACQUIRE))
			err = take_call(taking, &rows[i].key, &rows[i].stats);
	}
	return err;
}

int exited_read_rows(const struct recorder *recorder, const struct thread_list *threads,
		     struct profile *profile)
{
	struct taking taking = { threads, profile };
	int err = read_near_calls(recorder, &taking);

	if (!err)
		err = map_rows_read(recorder_call_fold_fd(recorder), sizeof(struct scaler_call_key),
				    sizeof(struct scaler_call_stats), take_call, &taking);
	if (!err)
		err = map_rows_read(recorder_error_fold_fd(recorder), sizeof(struct scaler_error_key),
				    sizeof(uint64_t), take_error, &taking);
	return err;
}

/* Returns how many are left. */
static size_t drop_calls(struct profile_call *calls, size_t count, const struct thread_list *threads)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!threads_have(threads, calls[i].key.task))
			calls[kept++] = calls[i];
	}
	return kept;
}

static void drop_rows(struct profile *profile, const struct thread_list *threads)
{
	size_t kept = 0;

	profile->call_count = drop_calls(profile->calls, profile->call_count, threads);
	profile->library_call_count =
		drop_calls(profile->library_calls, profile->library_call_count, threads);
	for (size_t i = 0; i < profile->error_count; i++) {
		if (!threads_have(threads, profile->errors[i].key.call.task))
			profile->errors[kept++] = profile->errors[i];
	}
	profile->error_count = kept;
}

static void free_near_rows(const struct recorder *recorder, const struct thread_list *threads)
{
	const struct scaler_call_row *rows;
	size_t count;

	rows = recorder_near_rows(recorder, &count);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].key.task && threads_have(threads, rows[i].key.task))
			recorder_free_near_row(recorder, i);
	}
}

/* Returns how many were in the map. */
static uint64_t delete_calls(int fd, const struct profile_call *calls, size_t count,
			     const struct thread_list *threads)
{
	uint64_t deleted = 0;

	for (size_t i = 0; i < count; i++) {
		if (threads_have(threads, calls[i].key.task))
			deleted += !bpf_map_delete_elem(fd, &calls[i].key);
	}
	return deleted;
}

static void delete_from_maps(const struct recorder *recorder, const struct thread_list *threads,
			     const struct profile *profile)
{
	int calls_fd = recorder_call_fold_fd(recorder), errors_fd = recorder_error_fold_fd(recorder);
	int threads_fd = recorder_exited_thread_fd(recorder);
	uint64_t deleted[SCALER_ROWS_COUNT] = { 0 };

	free_near_rows(recorder, threads);
	deleted[SCALER_ROWS_CALLS] =
		delete_calls(calls_fd, profile->calls, profile->call_count, threads) +
		delete_calls(calls_fd, profile->library_calls, profile->library_call_count, threads);
	for (size_t i = 0; i < profile->error_count; i++) {
		if (threads_have(threads, profile->errors[i].key.call.task))
			deleted[SCALER_ROWS_ERRORS] +=
				!bpf_map_delete_elem(errors_fd, &profile->errors[i].key);
	}
	for (size_t i = 0; i < threads->count; i++)
		deleted[SCALER_ROWS_THREADS] += !bpf_map_delete_elem(threads_fd, &threads->items[i].serial);
	for (int map = 0; map < SCALER_ROWS_COUNT; map++)
		recorder_count_taken(recorder, (enum scaler_rows)map, deleted[map]);
}

static int take_thread(void *threads, const void *serial, const void *thread)
{
	(void)serial;
	return thread_list_add(threads, thread);
}

int exited_take(const struct recorder *recorder, struct thread_list *exited, struct profile *profile)
{
	int err = map_rows_read(recorder_exited_thread_fd(recorder), sizeof(uint32_t),
				sizeof(struct scaler_thread), take_thread, exited);

	if (err || !exited->count)
		return err;
	thread_list_sort(exited);
	drop_rows(profile, exited);
	err = exited_read_rows(recorder, exited, profile);
	if (!err)
		delete_from_maps(recorder, exited, profile);
	return err;
}
