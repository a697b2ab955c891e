// SPDX-License-Identifier: GPL-2.0-only
/* Kept are two numbers, those of functions and of exits, then the functions by address, then the exits. */
#include "plan/exit_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "plan/file_cache.h"
#include "target/component.h"

struct counts {
	uint32_t functions;
	uint32_t exits;
};

static struct file_cache_key key_of(const struct exit_cache *cache)
{
	const struct scaler_component *component = &cache->file->component;

	return (struct file_cache_key){
		.kind = "exits",
		.rules = EXIT_RULES,
		.fd = cache->fd,
		.build_id = component_has_build_id(component) ? component->build_id : NULL,
	};
}

static size_t size_of(const struct counts *counts)
{
	return sizeof(*counts) + counts->functions * sizeof(struct found_exits) +
	       counts->exits * sizeof(uint64_t);
}

static bool is_sound(const struct exit_cache *cache)
{
	for (size_t i = 0; i < cache->function_count; i++) {
		const struct found_exits *found = &cache->functions[i];

		if (found->count > CODE_EXITS_MAX || found->first > cache->exit_count ||
		    found->count > cache->exit_count - found->first)
			return false;
	}
	return true;
}

/* Takes what was kept; what makes no sense is as good as nothing. */
static int take(struct exit_cache *cache, const char *bytes, size_t size)
{
	struct counts counts;

	if (size < sizeof(counts))
		return 0;
	memcpy(&counts, bytes, sizeof(counts));
	if (size != size_of(&counts))
		return 0;
	bytes += sizeof(counts);
	cache->functions = calloc(counts.functions + 1UL, sizeof(*cache->functions));
	cache->exits = calloc(counts.exits + 1UL, sizeof(*cache->exits));
	if (!cache->functions || !cache->exits)
		return -ENOMEM;
	memcpy(cache->functions, bytes, counts.functions * sizeof(*cache->functions));
	memcpy(cache->exits, bytes + counts.functions * sizeof(*cache->functions),
	       counts.exits * sizeof(*cache->exits));
	cache->function_count = cache->function_capacity = counts.functions;
	cache->exit_count = cache->exit_capacity = counts.exits;
	if (!is_sound(cache))
		cache->function_count = cache->exit_count = 0;
	cache->kept_count = cache->function_count;
	return 0;
}

int exit_cache_open(struct exit_cache *cache, const struct linked_file *file, int fd)
{
	struct file_cache_key key;
	void *bytes = NULL;
	size_t size;
	int err;

	*cache = (struct exit_cache){ .file = file, .fd = fd };
	key = key_of(cache);
	err = file_cache_load(&key, &bytes, &size);
	if (!err)
		err = take(cache, bytes, size);
	free(bytes);
	return err == -ENOENT ? 0 : err;
}

bool exit_cache_find(const struct exit_cache *cache, uint64_t address, struct code_exits *exits)
{
	size_t below =
		array_count_below(cache->functions, cache->kept_count, sizeof(*cache->functions), address);
	const struct found_exits *found;

	if (below >= cache->kept_count || cache->functions[below].address != address)
		return false;
	found = &cache->functions[below];
	*exits = (struct code_exits){ .count = found->count, .jumps_on = found->jumps_on };
	if (found->count)
		memcpy(exits->items, &cache->exits[found->first], found->count * sizeof(exits->items[0]));
	return true;
}

int exit_cache_add(struct exit_cache *cache, uint64_t address, const struct code_exits *exits)
{
	struct found_exits *functions = array_reserve(cache->functions, cache->function_count,
						      &cache->function_capacity, sizeof(*functions));

	if (!functions)
		return -ENOMEM;
	cache->functions = functions;
	functions[cache->function_count] = (struct found_exits){
		.address = address,
		.first = (uint32_t)cache->exit_count,
		.jumps_on = exits->jumps_on,
	};
	for (size_t i = 0; i < exits->count; i++) {
		uint64_t *all =
			array_reserve(cache->exits, cache->exit_count, &cache->exit_capacity, sizeof(*all));

		if (!all)
			return -ENOMEM;
		cache->exits = all;
		all[cache->exit_count++] = exits->items[i];
		functions[cache->function_count].count++;
	}
	cache->function_count++;
	return 0;
}

static int compare_functions(const void *left, const void *right)
{
	const struct found_exits *a = left, *b = right;

	return array_order(a->address, b->address);
}

static void keep(struct exit_cache *cache)
{
	const struct counts counts = { (uint32_t)cache->function_count, (uint32_t)cache->exit_count };
	const struct file_cache_key key = key_of(cache);
	size_t functions_size = cache->function_count * sizeof(*cache->functions);
	char *bytes = malloc(size_of(&counts));

	if (!bytes)
		return;
	qsort(cache->functions, cache->function_count, sizeof(*cache->functions), compare_functions);
	memcpy(bytes, &counts, sizeof(counts));
	memcpy(bytes + sizeof(counts), cache->functions, functions_size);
	if (cache->exit_count)
		memcpy(bytes + sizeof(counts) + functions_size, cache->exits,
		       cache->exit_count * sizeof(*cache->exits));
	file_cache_store(&key, bytes, size_of(&counts));
	free(bytes);
}

void exit_cache_close(struct exit_cache *cache)
{
	if (cache->function_count > cache->kept_count)
		keep(cache);
	free(cache->functions);
	free(cache->exits);
	*cache = (struct exit_cache){ 0 };
}
