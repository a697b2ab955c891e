// SPDX-License-Identifier: GPL-2.0-only
/* The critical path of a thread: what determined how long a time took it. */
#include "analysis/critical_path.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* A path that is being found. */
struct finder {
	struct critical_path *path;
	uint64_t to_ns;
	struct chain_segment
		waits[CHAIN_DEPTH_LIMIT + 1]; /* the last one at each depth that what follows explains */
};

/* Whether the segment says what the wait above it waited for, and not what the thread did that ended it. */
static bool is_cause_of(const struct chain_segment *segment, const struct chain_segment *wait)
{
	return !chain_kind_is_own(segment->kind) && wait->task == segment->task;
}

static struct path_segment make_segment(const struct finder *finder, const struct chain_segment *segment)
{
	struct path_segment made = {
		.from_ns = segment->from_ns,
		.to_ns = segment->to_ns < finder->to_ns ? segment->to_ns : finder->to_ns,
		.task = segment->task,
		.shape = segment->shape,
		.cause_shape = segment->shape,
		.kind = (uint8_t)segment->kind,
		.cause = CHAIN_WAIT,
	};
	const struct chain_segment *wait = segment->depth ? &finder->waits[segment->depth - 1] : NULL;

	if (wait && is_cause_of(segment, wait)) {
		made.shape = wait->shape;
		made.kind = (uint8_t)wait->kind;
		made.cause = (uint8_t)segment->kind;
	}
	return made;
}

static int take_segment(void *data, const struct chain_segment *segment)
{
	struct finder *finder = data;
	struct critical_path *path = finder->path;
	struct path_segment *segments;

	if (chain_kind_is_explained(segment->kind)) {
		finder->waits[segment->depth] = *segment;
		return 0;
	}
	if (segment->from_ns >= finder->to_ns)
		return 0;
	segments = array_reserve(path->segments, path->count, &path->capacity, sizeof(*segments));
	if (!segments)
		return -ENOMEM;
	path->segments = segments;
	segments[path->count++] = make_segment(finder, segment);
	return 0;
}

/*
 * Where the walk begins: if the time ends within a wait, at that wait's end, since what ended it explains all of it.
 * Else the thread ran up to what it did next.
 */
static uint64_t find_start(const struct wait_history *history, uint32_t task, uint64_t to_ns,
			   uint32_t *until_shape)
{
	const struct history_thread *thread = wait_history_find(history, task);
	const struct off_cpu *items = thread ? thread->items : NULL;
	size_t next;

	*until_shape = WAIT_SHAPE_NONE;
	if (!items)
		return to_ns;
	next = array_count_below(items, thread->count, sizeof(*items), to_ns);
	if (next && items[next - 1].woken_ns > to_ns && items[next - 1].woken_ns != UINT64_MAX)
		return items[next - 1].woken_ns;
	if (next < thread->count && history_thread_is_whole(thread, next))
		*until_shape = items[next].shape;
	return to_ns;
}

int critical_path_find(const struct wait_history *history, uint32_t task, uint64_t from_ns, uint64_t to_ns,
		       struct critical_path *path)
{
	struct finder finder = { .path = path, .to_ns = to_ns };
	const struct chain_visitor visitor = { .visit = take_segment, .data = &finder };
	uint32_t until_shape;
	uint64_t start_ns = find_start(history, task, to_ns, &until_shape);
	int err = wait_chain_follow(history, task, until_shape, from_ns, start_ns, 0, &visitor);

	for (size_t i = 0; i < path->count / 2; i++) {
		struct path_segment *mirrored = &path->segments[path->count - 1 - i];
		const struct path_segment segment = path->segments[i];

		path->segments[i] = *mirrored;
		*mirrored = segment;
	}
	return err;
}

static int compare_lengths(const void *left, const void *right)
{
	const struct path_segment *a = left, *b = right;

	return array_order(b->to_ns - b->from_ns, a->to_ns - a->from_ns) ?:
									   array_order(a->from_ns, b->from_ns);
}

static int compare_times(const void *left, const void *right)
{
	const struct path_segment *a = left, *b = right;

	return array_order(a->from_ns, b->from_ns);
}

int critical_path_longest(const struct critical_path *path, size_t limit, struct critical_path *longest)
{
	struct path_segment *segments = calloc(path->count + 1, sizeof(*segments));

	if (!segments)
		return -ENOMEM;
	*longest = (struct critical_path){ .segments = segments, .count = path->count };
	for (size_t i = 0; i < path->count; i++)
		segments[i] = path->segments[i];
	if (path->count <= limit)
		return 0;
	qsort(segments, path->count, sizeof(*segments), compare_lengths);
	longest->count = limit;
	qsort(segments, limit, sizeof(*segments), compare_times);
	return 0;
}

void critical_path_clear(struct critical_path *path)
{
	free(path->segments);
	*path = (struct critical_path){ 0 };
}
