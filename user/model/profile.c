// SPDX-License-Identifier: GPL-2.0-only
/* What was recorded, as data. */
#include "model/profile.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

int profile_add_open_call(struct profile *profile, const struct profile_open_call *open)
{
	struct profile_open_call *calls = array_reserve(profile->open_calls, profile->open_call_count,
							&profile->open_call_capacity, sizeof(*calls));

	if (!calls)
		return -ENOMEM;
	profile->open_calls = calls;
	calls[profile->open_call_count++] = *open;
	return 0;
}

static int add_open_call(struct profile *profile, const struct scaler_thread *thread)
{
	const struct scaler_open_call *open = &thread->call;
	uint64_t begin_ns = open->enter_ns > thread->start_ns ? open->enter_ns : thread->start_ns;
	const struct profile_open_call call = {
		.key = { open->site, thread->serial, open->id, open->stack, open->context },
		.enter_ns = open->enter_ns,
		.calls_before = thread->calls,
		.figures = {
			.count = 1,
			.total_ns = thread->since_ns - begin_ns,
			.runnable_ns = thread->time_ns[SCALER_RUNNABLE] - open->runnable_ns,
			.blocked_ns = thread->time_ns[SCALER_BLOCKED] - open->blocked_ns,
		},
	};

	return open->enter_ns && begin_ns < thread->since_ns ? profile_add_open_call(profile, &call) : 0;
}

int profile_add_thread(struct profile *profile, const struct scaler_thread *thread)
{
	struct scaler_thread *threads = array_reserve(profile->threads, profile->thread_count,
						      &profile->thread_capacity, sizeof(*threads));

	if (!threads)
		return -ENOMEM;
	profile->threads = threads;
	threads[profile->thread_count++] = *thread;
	return add_open_call(profile, thread);
}

static int add_row(struct profile_call **calls, size_t *count, size_t *capacity,
		   const struct profile_call *call)
{
	struct profile_call *items = array_reserve(*calls, *count, capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	*calls = items;
	items[(*count)++] = *call;
	return 0;
}

int profile_add_call(struct profile *profile, const struct scaler_call_key *key,
		     const struct scaler_call_stats *stats)
{
	const struct profile_call call = { *key, *stats };

	if (key->id.abi == SCALER_ABI_LIBRARY)
		return add_row(&profile->library_calls, &profile->library_call_count,
			       &profile->library_call_capacity, &call);
	return add_row(&profile->calls, &profile->call_count, &profile->call_capacity, &call);
}

int profile_add_context(struct profile *profile, const struct profile_context *context)
{
	struct profile_context *contexts = array_reserve(profile->contexts, profile->context_count,
							 &profile->context_capacity, sizeof(*contexts));

	if (!contexts)
		return -ENOMEM;
	profile->contexts = contexts;
	contexts[profile->context_count++] = *context;
	return 0;
}

int profile_add_error(struct profile *profile, const struct scaler_error_key *key, uint64_t count)
{
	struct profile_error *errors = array_reserve(profile->errors, profile->error_count,
						     &profile->error_capacity, sizeof(*errors));

	if (!errors)
		return -ENOMEM;
	profile->errors = errors;
	errors[profile->error_count++] = (struct profile_error){ *key, count };
	return 0;
}

int profile_add_component(struct profile *profile, uint32_t number,
			  const struct scaler_component *description)
{
	struct profile_component *components =
		array_reserve(profile->components, profile->component_count, &profile->component_capacity,
			      sizeof(*components));

	if (!components)
		return -ENOMEM;
	profile->components = components;
	components[profile->component_count++] = (struct profile_component){ number, *description };
	return 0;
}

int profile_add_group(struct profile *profile, const struct profile_group *group)
{
	struct profile_group *groups = array_reserve(profile->groups, profile->group_count,
						     &profile->group_capacity, sizeof(*groups));

	if (!groups)
		return -ENOMEM;
	profile->groups = groups;
	groups[profile->group_count++] = *group;
	return 0;
}

int profile_add_groups(struct profile *to, const struct profile *from)
{
	int err = 0;

	for (size_t i = 0; i < from->group_count && !err; i++)
		err = profile_add_group(to, &from->groups[i]);
	return err;
}

static int compare_threads(const void *left, const void *right)
{
	const struct scaler_thread *a = left, *b = right;

	return array_order(a->serial, b->serial);
}

static int compare_groups(const void *left, const void *right)
{
	const struct profile_group *a = left, *b = right;

	return array_order(a->serial, b->serial);
}

const struct scaler_component *profile_component(const struct profile *profile, uint32_t number)
{
	static const struct scaler_component unknown;
	static const struct scaler_component kernel = { .key.inode = SCALER_COMPONENT_KERNEL_CODE };
	static const struct scaler_component tracer = { .key.inode = SCALER_COMPONENT_TRACER_CODE };

	if (number == SCALER_COMPONENT_KERNEL)
		return &kernel;
	if (number == SCALER_COMPONENT_TRACER)
		return &tracer;
	for (size_t i = 0; number && i < profile->component_count; i++) {
		if (profile->components[i].number == number)
			return &profile->components[i].description;
	}
	return &unknown;
}

const struct scaler_thread *profile_find_thread(const struct profile *profile, uint32_t serial)
{
	const struct scaler_thread key = { .serial = serial };

	return profile->thread_count ?
		       bsearch(&key, profile->threads, profile->thread_count, sizeof(key), compare_threads) :
		       NULL;
}

const struct profile_group *profile_find_group(const struct profile *profile, uint32_t serial)
{
	const struct profile_group key = { .serial = serial };

	return profile->group_count ?
		       bsearch(&key, profile->groups, profile->group_count, sizeof(key), compare_groups) :
		       NULL;
}

static void clear_names(struct profile *profile)
{
	free(profile->components);
	free(profile->contexts);
	profile->components = NULL;
	profile->component_count = profile->component_capacity = 0;
	profile->contexts = NULL;
	profile->context_count = profile->context_capacity = 0;
	stacks_clear(&profile->stacks);
	sockets_clear(&profile->sockets);
	file_paths_clear(&profile->paths);
}

int profile_copy_names(struct profile *to, const struct profile *from)
{
	int err = 0;

	clear_names(to);
	for (size_t i = 0; i < from->component_count && !err; i++)
		err = profile_add_component(to, from->components[i].number, &from->components[i].description);
	for (size_t i = 0; i < from->context_count && !err; i++)
		err = profile_add_context(to, &from->contexts[i]);
	return err                                                ?:
		       stacks_copy(&to->stacks, &from->stacks)    ?:
		       sockets_copy(&to->sockets, &from->sockets) ?:
								    file_paths_copy(&to->paths, &from->paths);
}

void profile_clear(struct profile *profile)
{
	free(profile->threads);
	free(profile->open_calls);
	free(profile->calls);
	free(profile->library_calls);
	free(profile->errors);
	free(profile->groups);
	clear_names(profile);
	samples_clear(&profile->samples);
	blocking_intervals_clear(&profile->blocking);
	*profile = (struct profile){ 0 };
}
