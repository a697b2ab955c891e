// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel side's fold: rows first, then threads, so that no thread is older than its rows. */
#include "stream/fold.h"

#include <errno.h>

#include "base/clock.h"
#include "base/kernel_fields.h"
#include "probe/map_sizes.h"
#include "stream/exited.h"
#include "stream/iterator.h"
#include "stream/map_rows.h"

static int take_living(void *threads, const void *thread)
{
	return thread_list_add(threads, thread);
}

static int read_living(const struct recorder *recorder, struct thread_list *threads)
{
	return iterator_read(recorder_living_threads_open(recorder), sizeof(struct scaler_thread),
			     take_living, threads);
}

static int add_threads(struct profile *profile, struct thread_list *threads)
{
	int err = 0;

	thread_list_sort(threads);
	for (size_t i = 0; i < threads->count && !err; i++) {
		if (i + 1 == threads->count || threads->items[i].serial != threads->items[i + 1].serial)
			err = profile_add_thread(profile, &threads->items[i]);
	}
	return err;
}

/* Threads that have exited while we read have made calls since their rows were read: those are read again. */
static int read_threads(const struct recorder *recorder, struct profile *profile)
{
	struct thread_list threads = { 0 }, exited = { 0 };
	int err = read_living(recorder, &threads);

	if (!err)
		err = exited_take(recorder, &exited, profile);
	for (size_t i = 0; i < exited.count && !err; i++)
		err = thread_list_add(&threads, &exited.items[i]);
	if (!err)
		err = add_threads(profile, &threads);
	thread_list_clear(&threads);
	thread_list_clear(&exited);
	return err;
}

static int take_component(void *profile, const void *number, const void *component)
{
	return profile_add_component(profile, *(const uint32_t *)number, component);
}

static int take_context(void *profile, const void *key, const void *context)
{
	const struct profile_context row = {
		*(const struct scaler_context_key *)key,
		*(const struct scaler_context *)context,
	};

	return profile_add_context(profile, &row);
}

static int take_socket(void *profile, const void *inode, const void *socket)
{
	const struct socket_ends ends = { *(const uint64_t *)inode, *(const struct scaler_socket *)socket };

	return sockets_add(&((struct profile *)profile)->sockets, &ends);
}

static int read_sockets(const struct recorder *recorder, struct profile *profile)
{
	return map_rows_read(recorder_socket_fd(recorder), sizeof(uint64_t), sizeof(struct scaler_socket),
			     take_socket, profile);
}

static int take_path(void *profile, const void *number, const void *path)
{
	return file_paths_add(&((struct profile *)profile)->paths, *(const uint32_t *)number, path);
}

/* What rows refer to by number. */
static int read_names(const struct recorder *recorder, struct profile *profile)
{
	return map_rows_read(recorder_component_fd(recorder), sizeof(uint32_t), sizeof(struct scaler_component), take_component, profile) ?:
		       map_rows_read(recorder_context_fd(recorder), sizeof(struct scaler_context_key), sizeof(struct scaler_context), take_context, profile) ?:
		       map_rows_read(recorder_path_fd(recorder), sizeof(uint32_t), sizeof(struct scaler_path), take_path, profile) ?:
		       read_sockets(recorder, profile);
}

static int take_blocked(void *profile, const void *interval)
{
	return blocking_intervals_add(&((struct profile *)profile)->blocking, interval, NULL);
}

/* Those that have not ended; the others come as events, and so may one that ends meanwhile. */
static int read_blocked(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_blocked_open(recorder);

	return fd == -ENOENT ?
		       0 :
		       iterator_read(fd, sizeof(struct scaler_blocking_interval), take_blocked, profile);
}

int fold_read(const struct recorder *recorder, struct event_reader *reader, struct ended_threads *ended,
	      struct profile *profile)
{
	uint64_t now_ns, most_bytes, mapped_bytes, other_bytes;
	int err;

	err = recorder_place_sleepers(recorder);
	profile->window = recorder_begin_reading(recorder);
	if (!err && profile->window.end_ns != ~0ULL)
		err = recorder_close_library_calls(recorder);
	if (!err)
		err = exited_read_rows(recorder, NULL, profile);
	profile->sampling = recorder_sampling(recorder);
	profile->cost.spending = recorder_spending(recorder);
	/* A thread that exits from here on tells by itself what it was blocked in. */
	if (!err)
		err = read_blocked(recorder, profile);
	now_ns = clock_now_ns();
	profile->wall_clock_ns = clock_wall_ahead_ns();
	if (!err)
		err = read_threads(recorder, profile) ?: ended_threads_move(ended, profile);
	if (!err)
		err = read_names(recorder, profile);
	if (!err && reader)
		err = event_reader_read(reader, &profile->stacks, &profile->samples, &profile->blocking);
	if (profile->window.end_ns > now_ns)
		profile->window.end_ns = now_ns;
	for (int cause = 0; cause < SCALER_LOSS_COUNTERS; cause++)
		profile->losses[cause] += recorder_losses(recorder, cause);
	profile->losses[SCALER_LOSS_BLOCKING_KEPT] += profile->blocking.dropped;
	profile->cost.cpu_ns = recorder_cpu_ns(recorder);
	/* Not ru_maxrss, in which what ran before execve() counts too: a script, larger than the tracer. */
	most_bytes = kernel_field("/proc/self/status", "VmHWM", 10) * 1024;
	mapped_bytes = map_sizes_mapped_bytes(&other_bytes);
	profile->cost.resident_bytes = tracer_cost_resident(most_bytes, mapped_bytes, other_bytes);
	profile->cost.kernel_bytes = recorder_kernel_bytes(recorder);
	return err;
}

int fold_take_intervals(const struct recorder *recorder, struct event_reader *reader, size_t least,
			struct profile *profile)
{
	uint64_t now_ns = clock_now_ns();
	int err = event_reader_take_intervals(reader, least, &profile->blocking);
	struct thread_list threads = { 0 };

	if (err || !profile->blocking.count)
		return err;
	profile->window = recorder_window(recorder);
	if (profile->window.end_ns > now_ns)
		profile->window.end_ns = now_ns;
	profile->recording_start_ns = profile->window.start_ns;
	profile->wall_clock_ns = clock_wall_ahead_ns();
	err = read_living(recorder, &threads)        ?:
		      add_threads(profile, &threads) ?:
						       read_sockets(recorder, profile);
	thread_list_clear(&threads);
	return err;
}
