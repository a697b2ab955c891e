// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel side's fold maps into a profile. */
#include "stream/fold.h"

#include <errno.h>
#include <sys/resource.h>

#include <bpf/bpf.h>

#include "stream/placement.h"

static int read_threads(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_thread_fd(recorder);
	struct scaler_thread thread;
	uint32_t key, *last = NULL;
	int err;

	while (!(err = bpf_map_get_next_key(fd, last, &key))) {
		err = bpf_map_lookup_elem(fd, &key, &thread);
		if (!err)
			err = profile_add_thread(profile, &thread);
		if (err)
			return err;
		last = &key;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_calls(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_call_fold_fd(recorder);
	struct scaler_call_key key, *last = NULL;
	struct scaler_call_stats stats;
	int err;

	while (!(err = bpf_map_get_next_key(fd, last, &key))) {
		err = bpf_map_lookup_elem(fd, &key, &stats);
		if (!err)
			err = profile_add_call(profile, &key, &stats);
		if (err)
			return err;
		last = &key;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_errors(const struct recorder *recorder, struct profile *profile)
{
	int fd = recorder_error_fold_fd(recorder);
	struct scaler_error_key key, *last = NULL;
	uint64_t count;
	int err;

	while (!(err = bpf_map_get_next_key(fd, last, &key))) {
		err = bpf_map_lookup_elem(fd, &key, &count);
		if (!err)
			err = profile_add_error(profile, &key, count);
		if (err)
			return err;
		last = &key;
	}
	return err == -ENOENT ? 0 : err;
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

int fold_read(const struct recorder *recorder, struct profile *profile)
{
	struct rusage usage;
	int err;

	profile->window = recorder_window(recorder);
	err = read_threads(recorder, profile);
	if (!err)
		err = read_calls(recorder, profile);
	if (!err)
		err = read_errors(recorder, profile);
	if (!err)
		err = read_components(recorder, profile);
	if (!err)
		err = placement_complete(profile);
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++)
		profile->losses[cause] += recorder_losses(recorder, cause);
	getrusage(RUSAGE_SELF, &usage);
	profile->cost = (struct tracer_cost){ recorder_cpu_ns(recorder),
					      (uint64_t)usage.ru_maxrss * 1024,
					      recorder_kernel_bytes(recorder) };
	return err;
}
