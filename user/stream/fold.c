// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel side's fold: rows first, then threads, so that no thread is older than its rows. */
#include "stream/fold.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <bpf/bpf.h>

#include "base/array.h"
#include "stream/iterator.h"

/* The threads of one reading; sorted, they are the set of those whose rows are asked for. */
struct threads {
	struct scaler_thread *items; /* owned */
	size_t count;
	size_t capacity;
};

static int add_thread(struct threads *threads, const struct scaler_thread *thread)
{
	struct scaler_thread *items =
		array_reserve(threads->items, threads->count, &threads->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	threads->items = items;
	items[threads->count++] = *thread;
	return 0;
}

/* By serial; one that has exited while we read is there twice, and stands last as it was at its end. */
static int compare_threads(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	if (a->serial != b->serial)
		return a->serial < b->serial ? -1 : 1;
	return (a->since_ns > b->since_ns) - (a->since_ns < b->since_ns);
}

static int compare_serials(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return (a->serial > b->serial) - (a->serial < b->serial);
}

static void sort_threads(struct threads *threads)
{
	if (threads->count)
		qsort(threads->items, threads->count, sizeof(*threads->items), compare_threads);
}

/* NULL stands for all threads. */
static bool threads_have(const struct threads *threads, uint32_t serial)
{
	const struct scaler_thread key = { .serial = serial };

	if (!threads)
		return true;
	return threads->count && bsearch(&key, threads->items, threads->count, sizeof(key), compare_serials);
}

static int take_living(void *threads, const void *thread)
{
	return add_thread(threads, thread);
}

static int read_living(const struct recorder *recorder, struct threads *threads)
{
	return iterator_read(recorder_living_threads_open(recorder), sizeof(struct scaler_thread),
			     take_living, threads);
}

static int read_exited(const struct recorder *recorder, struct threads *threads)
{
	int fd = recorder_exited_thread_fd(recorder);
	struct scaler_thread thread;
	uint32_t key, *last = NULL;
	int err;

	while (!(err = bpf_map_get_next_key(fd, last, &key))) {
		err = bpf_map_lookup_elem(fd, &key, &thread);
		if (!err)
			err = add_thread(threads, &thread);
		if (err)
			return err;
		last = &key;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_near_calls(const struct recorder *recorder, const struct threads *threads,
			   struct profile *profile)
{
	const struct scaler_call_row *rows;
	size_t count;
	int err = 0;

	rows = recorder_near_rows(recorder, &count);
	for (size_t i = 0; i < count && !err; i++) {
		uint32_t task = __atomic_load_n(&rows[i].key.task, __ATOMIC_ACQUIRE);

		if (task && threads_have(threads, task))
			err = profile_add_call(profile, &rows[i].key, &rows[i].stats);
	}
	return err;
}

static int read_far_calls(const struct recorder *recorder, const struct threads *threads,
			  struct profile *profile)
{
	int fd = recorder_call_fold_fd(recorder);
	struct scaler_call_key key, *last = NULL;
	struct scaler_call_stats stats;
	int err;

	for (; !(err = bpf_map_get_next_key(fd, last, &key)); last = &key) {
		if (!threads_have(threads, key.task))
			continue;
		err = bpf_map_lookup_elem(fd, &key, &stats);
		if (!err)
			err = profile_add_call(profile, &key, &stats);
		if (err)
			return err;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_errors(const struct recorder *recorder, const struct threads *threads,
		       struct profile *profile)
{
	int fd = recorder_error_fold_fd(recorder);
	struct scaler_error_key key, *last = NULL;
	uint64_t count;
	int err;

	for (; !(err = bpf_map_get_next_key(fd, last, &key)); last = &key) {
		if (!threads_have(threads, key.call.task))
			continue;
		err = bpf_map_lookup_elem(fd, &key, &count);
		if (!err)
			err = profile_add_error(profile, &key, count);
		if (err)
			return err;
	}
	return err == -ENOENT ? 0 : err;
}

/* The rows of some threads. */
static int read_rows(const struct recorder *recorder, const struct threads *threads, struct profile *profile)
{
	return read_near_calls(recorder, threads, profile)        ?:
		       read_far_calls(recorder, threads, profile) ?:
								    read_errors(recorder, threads, profile);
}

/* Returns how many are left. */
static size_t drop_calls(struct profile_call *calls, size_t count, const struct threads *threads)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (!threads_have(threads, calls[i].key.task))
			calls[kept++] = calls[i];
	}
	return kept;
}

static void drop_rows(struct profile *profile, const struct threads *threads)
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

static void free_near_rows(const struct recorder *recorder, const struct threads *threads)
{
	const struct scaler_call_row *rows;
	size_t count;

	rows = recorder_near_rows(recorder, &count);
	for (size_t i = 0; i < count; i++) {
		if (rows[i].key.task && threads_have(threads, rows[i].key.task))
			recorder_free_near_row(recorder, i);
	}
}

static void delete_calls(const struct recorder *recorder, const struct profile_call *calls, size_t count,
			 const struct threads *threads)
{
	for (size_t i = 0; i < count; i++) {
		if (threads_have(threads, calls[i].key.task))
			bpf_map_delete_elem(recorder_call_fold_fd(recorder), &calls[i].key);
	}
}

static void delete_from_maps(const struct recorder *recorder, const struct threads *threads,
			     const struct profile *profile)
{
	free_near_rows(recorder, threads);
	delete_calls(recorder, profile->calls, profile->call_count, threads);
	delete_calls(recorder, profile->library_calls, profile->library_call_count, threads);
	for (size_t i = 0; i < profile->error_count; i++) {
		if (threads_have(threads, profile->errors[i].key.call.task))
			bpf_map_delete_elem(recorder_error_fold_fd(recorder), &profile->errors[i].key);
	}
	for (size_t i = 0; i < threads->count; i++)
		bpf_map_delete_elem(recorder_exited_thread_fd(recorder), &threads->items[i].serial);
}

/*
 * Threads that have exited while we read have made calls since their rows were read: those are read again.
 * Nothing changes them any more, so they need not stay in the kernel.
 */
static int take_exited(const struct recorder *recorder, struct threads *exited, struct profile *profile)
{
	int err;

	if (!exited->count)
		return 0;
	sort_threads(exited);
	drop_rows(profile, exited);
	err = read_rows(recorder, exited, profile);
	if (!err)
		delete_from_maps(recorder, exited, profile);
	return err;
}

static int add_threads(struct profile *profile, struct threads *threads)
{
	int err = 0;

	sort_threads(threads);
	for (size_t i = 0; i < threads->count && !err; i++) {
		if (i + 1 == threads->count || threads->items[i].serial != threads->items[i + 1].serial)
			err = profile_add_thread(profile, &threads->items[i]);
	}
	return err;
}

static int read_threads(const struct recorder *recorder, struct profile *profile)
{
	struct threads threads = { 0 }, exited = { 0 };
	int err = read_living(recorder, &threads);

	if (!err)
		err = read_exited(recorder, &exited);
	if (!err)
		err = take_exited(recorder, &exited, profile);
	for (size_t i = 0; i < exited.count && !err; i++)
		err = add_thread(&threads, &exited.items[i]);
	if (!err)
		err = add_threads(profile, &threads);
	free(threads.items);
	free(exited.items);
	return err;
}

static int read_components(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_component_fd(recorder);
	struct scaler_component component;
	uint32_t key, *last = NULL;
	int err;

	while (!(err = bpf_map_get_next_key(fd, last, &key))) {
		err = bpf_map_lookup_elem(fd, &key, &component);
		if (!err)
			err = profile_add_component(profile, key, &component);
		if (err)
			return err;
		last = &key;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_contexts(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_context_fd(recorder), err;
	struct profile_context context;
	struct scaler_context_key *last = NULL;

	while (!(err = bpf_map_get_next_key(fd, last, &context.key))) {
		err = bpf_map_lookup_elem(fd, &context.key, &context.context);
		if (!err)
			err = profile_add_context(profile, &context);
		if (err)
			return err;
		last = &context.key;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_sockets(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_socket_fd(recorder), err;
	struct socket_ends ends;
	uint64_t *last = NULL;

	while (!(err = bpf_map_get_next_key(fd, last, &ends.inode))) {
		err = bpf_map_lookup_elem(fd, &ends.inode, &ends.socket);
		if (!err)
			err = sockets_add(&profile->sockets, &ends);
		if (err)
			return err;
		last = &ends.inode;
	}
	return err == -ENOENT ? 0 : err;
}

static int take_blocked(void *profile, const void *interval)
{
	return blocking_intervals_add(&((struct profile *)profile)->blocking, interval);
}

/* Those that have not ended; the others come as events, and so may one that ends meanwhile. */
static int read_blocked(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_blocked_open(recorder);

	return fd == -ENOENT ?
		       0 :
		       iterator_read(fd, sizeof(struct scaler_blocking_interval), take_blocked, profile);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int fold_read(const struct recorder *recorder, struct learner *learner, struct profile *profile)
{
	struct rusage usage;
	uint64_t now_ns;
	int err;

	err = recorder_place_sleepers(recorder);
	profile->window = recorder_begin_reading(recorder);
	if (!err && profile->window.end_ns != ~0ULL)
		err = recorder_close_library_calls(recorder);
	if (!err)
		err = read_rows(recorder, NULL, profile);
	/* A thread that exits from here on tells by itself what it was blocked in. */
	if (!err)
		err = read_blocked(recorder, profile);
	now_ns = clock_ns(CLOCK_MONOTONIC);
	profile->wall_clock_ns = (int64_t)(clock_ns(CLOCK_REALTIME) - now_ns);
	if (!err)
		err = read_threads(recorder, profile);
	if (!err)
		err = read_components(recorder, profile);
	if (!err)
		err = read_contexts(recorder, profile);
	if (!err)
		err = read_sockets(recorder, profile);
	if (!err && learner)
		err = learner_read(learner, &profile->stacks, &profile->samples, &profile->blocking);
	if (profile->window.end_ns > now_ns)
		profile->window.end_ns = now_ns;
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++)
		profile->losses[cause] += recorder_losses(recorder, cause);
	profile->losses[SCALER_LOSS_BLOCKING_KEPT] += profile->blocking.dropped;
	getrusage(RUSAGE_SELF, &usage);
	profile->cost.cpu_ns = recorder_cpu_ns(recorder);
	profile->cost.resident_bytes = (uint64_t)usage.ru_maxrss * 1024;
	profile->cost.kernel_bytes = recorder_kernel_bytes(recorder);
	return err;
}

int fold_take_intervals(const struct recorder *recorder, struct learner *learner, size_t least,
			struct profile *profile)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int err = learner_take_intervals(learner, least, &profile->blocking);
	struct threads threads = { 0 };

	if (err || !profile->blocking.count)
		return err;
	profile->window = recorder_window(recorder);
	if (profile->window.end_ns > now_ns)
		profile->window.end_ns = now_ns;
	profile->recording_start_ns = profile->window.start_ns;
	profile->wall_clock_ns = (int64_t)(clock_ns(CLOCK_REALTIME) - now_ns);
	err = read_living(recorder, &threads)        ?:
		      add_threads(profile, &threads) ?:
						       read_sockets(recorder, profile);
	free(threads.items);
	return err;
}
