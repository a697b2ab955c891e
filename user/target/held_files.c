// SPDX-License-Identifier: GPL-2.0-only
/* Files that are held open for later. */
#include "target/held_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/array.h"
#include "target/component.h"
#include "target/foreign_file.h"

void held_files_init(struct held_files *held)
{
	struct rlimit files = { 0 };

	getrlimit(RLIMIT_NOFILE, &files);
	*held = (struct held_files){ .limit = files.rlim_cur / 4 };
	pthread_mutex_init(&held->lock, NULL);
}

static const struct held_file *find(const struct held_files *held, const struct scaler_component_key *key)
{
	for (size_t i = 0; i < held->count; i++) {
		if (!memcmp(&held->items[i].key, key, sizeof(*key)))
			return &held->items[i];
	}
	return NULL;
}

static void hold(struct held_files *held, const struct scaler_component *component)
{
	struct held_file *items;
	int fd;

	if (held->count >= held->limit || find(held, &component->key))
		return;
	items = array_reserve(held->items, held->count, &held->capacity, sizeof(*items));
	if (!items)
		return;
	held->items = items;
	fd = component_open(component);
	if (fd >= 0)
		items[held->count++] = (struct held_file){ component->key, fd };
}

void held_files_add(struct held_files *held, const struct scaler_component *component)
{
	if (!component->key.device)
		return;
	pthread_mutex_lock(&held->lock);
	hold(held, component);
	pthread_mutex_unlock(&held->lock);
}

int held_files_open(struct held_files *held, const struct scaler_component *component)
{
	int fd = component_open(component);
	const struct held_file *file;

	if (fd >= 0 || !held)
		return fd;
	pthread_mutex_lock(&held->lock);
	file = find(held, &component->key);
	if (file)
		fd = foreign_file_reopen(file->fd);
	pthread_mutex_unlock(&held->lock);
	return fd;
}

void held_files_clear(struct held_files *held)
{
	for (size_t i = 0; i < held->count; i++)
		close(held->items[i].fd);
	free(held->items);
	pthread_mutex_destroy(&held->lock);
	*held = (struct held_files){ 0 };
}
