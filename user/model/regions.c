// SPDX-License-Identifier: GPL-2.0-only
/* Parts of a recording that somebody outside has marked. */
#include "model/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct region *find(const struct regions *regions, const char *name)
{
	for (size_t i = 0; i < regions->count; i++) {
		if (!strcmp(regions->items[i].name, name))
			return &regions->items[i];
	}
	return NULL;
}

static struct region *add(struct regions *regions, const char *name)
{
	struct region *items =
		array_reserve(regions->items, regions->count, &regions->capacity, sizeof(*items));
	char *copy = strdup(name);

	if (items)
		regions->items = items;
	if (!items || !copy) {
		free(copy);
		return NULL;
	}
	items[regions->count] = (struct region){ .name = copy };
	return &items[regions->count++];
}

static int begin(struct regions *regions, const char *name)
{
	struct region *region = find(regions, name);

	if (region && region->is_open)
		return -EEXIST;
	if (!region && regions->count == REGIONS_MAX)
		return -ENOSPC;
	region = region ?: add(regions, name);
	if (!region)
		return -ENOMEM;
	region->is_open = true;
	region->times++;
	return 0;
}

static int end(struct regions *regions, const char *name)
{
	struct region *region = find(regions, name);

	if (!region || !region->is_open)
		return -ENOENT;
	region->is_open = false;
	interval_sum_end_run(&region->sum);
	return 0;
}

static int add_moment(struct regions *regions, const char *name, uint64_t time_ns)
{
	struct moment *moments;

	if (regions->moment_count == REGIONS_MAX)
		return -ENOSPC;
	moments = array_reserve(regions->moments, regions->moment_count, &regions->moment_capacity,
				sizeof(*moments));
	if (!moments)
		return -ENOMEM;
	regions->moments = moments;
	moments[regions->moment_count] = (struct moment){ strdup(name), time_ns };
	if (!moments[regions->moment_count].name)
		return -ENOMEM;
	regions->moment_count++;
	return 0;
}

int regions_mark(struct regions *regions, const struct mark *mark)
{
	switch (mark->kind) {
	case MARK_BEGIN:
		return begin(regions, mark->name);
	case MARK_END:
		return end(regions, mark->name);
	case MARK_MOMENT:
	case MARK_KINDS:
		break;
	}
	return add_moment(regions, mark->name, mark->time_ns);
}

int regions_add(struct regions *regions, const struct profile *interval)
{
	int err = 0;

	for (size_t i = 0; i < regions->count && !err; i++) {
		if (regions->items[i].is_open)
			err = interval_sum_add(&regions->items[i].sum, interval);
	}
	return err;
}

void regions_pause(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++)
		interval_sum_end_run(&regions->items[i].sum);
}

void regions_clear(struct regions *regions)
{
	for (size_t i = 0; i < regions->count; i++) {
		free(regions->items[i].name);
		interval_sum_clear(&regions->items[i].sum);
	}
	for (size_t i = 0; i < regions->moment_count; i++)
		free(regions->moments[i].name);
	free(regions->items);
	free(regions->moments);
	*regions = (struct regions){ 0 };
}
