// SPDX-License-Identifier: GPL-2.0-only
/* How many rows each map has, how the rows of calls are shared between near ones and the map, and how full maps are. */
#include "probe/map_sizes.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/kernel_fields.h"
#include "base/log.h"
#include "scaler.skel.h"

static int size_map(struct bpf_map *map, uint32_t rows)
{
	int err = rows ? bpf_map__set_max_entries(map, rows) : 0;

	if (err)
		log_error("cannot give the map '%s' %u rows: %s", bpf_map__name(map), rows, strerror(-err));
	return err;
}

/* Of the components: the rest is left to other users, and to other processes. */
static int share_components(struct scaler_skeleton *skeleton)
{
	uint32_t rows = bpf_map__max_entries(skeleton->maps.components);

	skeleton->rodata->component_user_share = rows - rows / 4;
	skeleton->rodata->component_process_share = rows / 2;
	return 0;
}

static int size_maps(struct scaler_skeleton *skeleton, const uint32_t rows[RECORDER_MAP_COUNT])
{
	return size_map(skeleton->maps.threads, rows[RECORDER_MAP_THREADS])                      ?:
		       size_map(skeleton->maps.call_fold, rows[RECORDER_MAP_CALLS])              ?:
		       size_map(skeleton->maps.error_fold, rows[RECORDER_MAP_ERRORS])            ?:
		       size_map(skeleton->maps.components, rows[RECORDER_MAP_COMPONENTS])        ?:
		       size_map(skeleton->maps.component_numbers, rows[RECORDER_MAP_COMPONENTS]) ?:
		       share_components(skeleton)                                                ?:
		       size_map(skeleton->maps.stack_numbers, rows[RECORDER_MAP_STACKS])         ?:
		       size_map(skeleton->maps.unwind_rules, rows[RECORDER_MAP_RULES])           ?:
		       size_map(skeleton->maps.contexts, rows[RECORDER_MAP_CONTEXTS])            ?:
		       size_map(skeleton->maps.sockets, rows[RECORDER_MAP_SOCKETS])              ?:
		       size_map(skeleton->maps.file_paths, rows[RECORDER_MAP_PATHS])             ?:
		       size_map(skeleton->maps.file_path_numbers, rows[RECORDER_MAP_PATHS])      ?:
		       size_map(skeleton->maps.events, rows[RECORDER_MAP_EVENTS]);
}

/*
 * What nobody walks needs no room; a ring buffer has at least one page. Events without stacks have sites nevertheless.
 */
static int shrink_stack_maps(struct scaler_skeleton *skeleton, bool events)
{
	return size_map(skeleton->maps.known_codes, events ? 0 : 1) ?:
		       size_map(skeleton->maps.unwind_rules, 1)     ?:
		       size_map(skeleton->maps.stack_numbers, 1)    ?:
		       size_map(skeleton->maps.events, events ? 0 : (uint32_t)getpagesize());
}

void map_sizes_give_near_row(struct scaler_skeleton *skeleton, size_t index)
{
	uint64_t given = skeleton->bss->free_rows_given;

	skeleton->bss->free_rows[given % SCALER_NEAR_ROWS] = (uint32_t)index;
	__atomic_store_n(&skeleton->bss->free_rows_given, given + 1, __ATOMIC_RELEASE);
}

/* Of the rows for calls as many as can be are near ones; the map must have one, too. */
static int share_call_rows(struct scaler_skeleton *skeleton)
{
	uint32_t rows = bpf_map__max_entries(skeleton->maps.call_fold);
	uint32_t near = rows <= SCALER_NEAR_ROWS ? rows - 1 : SCALER_NEAR_ROWS;

	for (uint32_t i = 0; i < near; i++)
		map_sizes_give_near_row(skeleton, i);
	return size_map(skeleton->maps.call_fold, rows - near);
}

static int size_library_maps(struct scaler_skeleton *skeleton, uint32_t functions)
{
	uint32_t cpus = functions > 1 ? (uint32_t)libbpf_num_possible_cpus() : 1;

	return size_map(skeleton->maps.library_functions, functions) ?:
		       size_map(skeleton->maps.library_costs, cpus * functions);
}

/* The storage that tasks have, or rows in its place. */
static int choose_task_data(struct scaler_skeleton *skeleton, bool in_storage, uint32_t rows)
{
	struct {
		struct bpf_map *storage, *rows;
	} const maps[] = {
		{ skeleton->maps.task_states, skeleton->maps.task_state_rows },
		{ skeleton->maps.blocking_states, skeleton->maps.blocking_state_rows },
		{ skeleton->maps.library_states, skeleton->maps.library_state_rows },
		{ skeleton->maps.library_stacks, skeleton->maps.library_stack_rows },
	};
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(maps) && !err; i++)
		err = bpf_map__set_autocreate(in_storage ? maps[i].rows : maps[i].storage, false) ?:
			      size_map(maps[i].rows, rows);
	return err;
}

int map_sizes_set(struct scaler_skeleton *skeleton, const struct recorder_knobs *knobs, bool sends_events)
{
	int err = size_maps(skeleton, knobs->map_rows) ?:
			  share_call_rows(skeleton)    ?:
			  choose_task_data(skeleton, skeleton->rodata->tasks_have_storage,
					   knobs->map_rows[RECORDER_MAP_THREADS]);

	if (!err && !knobs->depth.frames)
		err = shrink_stack_maps(skeleton, sends_events);
	if (!err)
		err = size_library_maps(skeleton, (uint32_t)knobs->function_count + 1);
	if (!err)
		err = size_map(skeleton->maps.cpu_costs, (uint32_t)libbpf_num_possible_cpus());
	if (!err && !knobs->follows_processes)
		err = size_map(skeleton->maps.process_events, (uint32_t)getpagesize());
	if (!err)
		err = size_map(skeleton->maps.sockets, knobs->records_blocking ? 0 : 1) ?:
			      size_map(skeleton->maps.file_paths, knobs->records_paths ? 0 : 1);
	return err ?: size_map(skeleton->maps.contexts, knobs->function_count ? 0 : 1);
}

/* What the kernel says that a map takes; since 6.4 the rows that it has, before that all it could have. */
static uint64_t map_bytes(const struct bpf_map *map)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
	return kernel_field(path, "memlock", 10);
}

uint64_t map_sizes_kernel_bytes(const struct scaler_skeleton *skeleton)
{
	const struct bpf_map *map;
	uint64_t bytes = 0;

	/* The kernel counts what is in a thread's storage with the thread. */
	if (skeleton->rodata->tasks_have_storage)
		bytes = (uint64_t)skeleton->bss->tasks_followed *
			bpf_map__value_size(skeleton->maps.task_states);
	bpf_object__for_each_map(map, skeleton->obj) bytes += map_bytes(map);
	return bytes;
}

uint64_t map_sizes_mapped_bytes(uint64_t *other_bytes)
{
	FILE *file = fopen("/proc/self/smaps", "re");
	unsigned long long kib, bytes[2] = { 0 };
	bool is_map = false;
	char line[512];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Rss: %llu kB", &kib) == 1)
			bytes[is_map] += kib * 1024;
		/* A mapping's own line begins with its addresses, in small letters; those about it do not. */
		else if (isxdigit(*line) && !isupper(*line))
			is_map = strstr(line, " anon_inode:bpf-map");
	}
	if (file)
		fclose(file);
	*other_bytes = bytes[false];
	return bytes[true];
}

struct recorder_rows map_sizes_rows(const struct scaler_skeleton *skeleton)
{
	struct recorder_rows rows = {
		.capacity = {
			[SCALER_ROWS_THREADS] = bpf_map__max_entries(skeleton->maps.threads),
			[SCALER_ROWS_CALLS] = bpf_map__max_entries(skeleton->maps.call_fold),
			[SCALER_ROWS_ERRORS] = bpf_map__max_entries(skeleton->maps.error_fold),
		},
		.living = __atomic_load_n(&skeleton->bss->tasks_followed, __ATOMIC_RELAXED),
	};

	for (int map = 0; map < SCALER_ROWS_COUNT; map++)
		rows.held[map] = __atomic_load_n(&skeleton->bss->rows_held[map], __ATOMIC_RELAXED);
	return rows;
}

void map_sizes_count_taken(struct scaler_skeleton *skeleton, enum scaler_rows map, uint64_t count)
{
	__atomic_fetch_sub(&skeleton->bss->rows_held[map], count, __ATOMIC_RELAXED);
}
