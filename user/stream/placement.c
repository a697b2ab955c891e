// SPDX-License-Identifier: GPL-2.0-only
/* Places calls whose component the kernel side could not tell: by their stacks, or else by /proc/PID/maps. */
#include "stream/placement.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/row_order.h"
#include "target/process_maps.h"

struct unplaced {
	uint32_t tgid;
	__u64 *site; /* in the profile */
};

static int compare_processes(const void *left, const void *right)
{
	const struct unplaced *a = left, *b = right;

	return (a->tgid > b->tgid) - (a->tgid < b->tgid);
}

/* A walk that was stuck at its first frame has been finished since, from what was told of the address space. */
static bool place_by_stack(struct profile *profile, struct scaler_call_key *key)
{
	const struct stack *stack = key->stack ? stacks_find(&profile->stacks, key->stack) : NULL;
	__u64 site = stack && stack->count ? profile->stacks.sites[stack->first] : 0;

	if (!scaler_site_component(site))
		return false;
	key->site = site;
	return true;
}

static void collect(struct profile *profile, struct scaler_call_key *key, struct unplaced *list,
		    size_t *count)
{
	const struct scaler_thread *thread;

	if (scaler_site_component(key->site) || place_by_stack(profile, key))
		return;
	thread = profile_find_thread(profile, key->task);
	if (thread)
		list[(*count)++] = (struct unplaced){ thread->tgid, &key->site };
}

static bool is_same(const struct scaler_component *a, const struct scaler_component *b)
{
	if (a->key.inode != b->key.inode || a->key.device != b->key.device)
		return false;
	return a->tgid == b->tgid || a->key.device || a->key.inode != SCALER_COMPONENT_ANONYMOUS;
}

/* The component's number, a new one if it was not known; below 0: an errno. */
static int component_number(struct profile *profile, const struct scaler_component *component)
{
	uint32_t last = 0;
	int err;

	for (size_t i = 0; i < profile->component_count; i++) {
		const struct profile_component *known = &profile->components[i];

		if (is_same(&known->description, component))
			return (int)known->number;
		last = known->number > last ? known->number : last;
	}
	if (last + 1 >= SCALER_COMPONENT_LIMIT)
		return SCALER_COMPONENT_NONE;
	err = profile_add_component(profile, last + 1, component);
	return err ?: (int)last + 1;
}

static int place(struct profile *profile, const struct process_maps *maps, __u64 *site)
{
	uint64_t address = scaler_site_offset(*site);
	const struct process_mapping *mapping = process_maps_find(maps, address);
	int number;

	if (!mapping)
		return 0;
	number = component_number(profile, &mapping->component);
	if (number > 0)
		*site = scaler_site((uint32_t)number, address - mapping->component.start + mapping->offset);
	return number < 0 ? number : 0;
}

static int place_all(struct profile *profile, const struct unplaced *list, size_t count)
{
	struct process_maps maps = { 0 };
	int err = 0;

	for (size_t i = 0; i < count && !err; i++) {
		if (!i || list[i].tgid != list[i - 1].tgid) {
			process_maps_clear(&maps);
			/* A process that is gone has no maps, and its sites stay as they are. */
			if (process_maps_read(&maps, (pid_t)list[i].tgid) == -ENOMEM)
				err = -ENOMEM;
		}
		if (!err)
			err = place(profile, &maps, list[i].site);
	}
	process_maps_clear(&maps);
	return err;
}

int placement_complete(struct profile *profile)
{
	struct unplaced *list = calloc(profile->call_count + profile->error_count + 1, sizeof(*list));
	size_t count = 0;
	int err;

	if (!list)
		return -ENOMEM;
	row_order_sort_threads(profile);
	for (size_t i = 0; i < profile->call_count; i++)
		collect(profile, &profile->calls[i].key, list, &count);
	for (size_t i = 0; i < profile->error_count; i++)
		collect(profile, &profile->errors[i].key.call, list, &count);
	qsort(list, count, sizeof(*list), compare_processes);
	err = place_all(profile, list, count);
	free(list);
	return err;
}
