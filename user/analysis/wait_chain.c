// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains: each thread's time backwards, and at a wait that of the thread which ended it. */
#include "analysis/wait_chain.h"

#include "base/array.h"

/* A thread whose time is followed, at a depth. */
struct walk {
	const struct wait_history *history;
	const struct chain_visitor *visitor;
	uint32_t task;
	uint32_t depth;
	uint64_t from_ns;
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Of what lies between the times, what the walk has not passed and does not leave out; then it has passed that. */
static int tell(const struct walk *walk, enum chain_kind kind, uint32_t shape, uint64_t from_ns,
		uint64_t *to_ns)
{
	const struct chain_segment segment = {
		.from_ns = later(from_ns, walk->from_ns),
		.to_ns = *to_ns,
		.task = walk->task,
		.shape = shape,
		.depth = walk->depth,
		.kind = kind,
	};

	if (segment.from_ns >= segment.to_ns)
		return 0;
	*to_ns = segment.from_ns;
	return walk->visitor->visit(walk->visitor->data, &segment);
}

const char *chain_kind_name(enum chain_kind kind)
{
	static const char *const names[CHAIN_KINDS] = {
		[CHAIN_WAIT] = "wait",       [CHAIN_CREATED] = "not created",
		[CHAIN_RUNNING] = "running", [CHAIN_RUNNABLE] = "runnable",
		[CHAIN_QUOTA] = "CPU quota", [CHAIN_FLIGHT] = "in flight",
		[CHAIN_WORK] = "work",       [CHAIN_UNTRACED] = "not traced",
		[CHAIN_TIMER] = "timer",     [CHAIN_DEVICE] = "device",
		[CHAIN_NETWORK] = "network", [CHAIN_INTERRUPT] = "interrupt",
		[CHAIN_UNSEEN] = "not seen", [CHAIN_NOTHING] = "not over",
		[CHAIN_STOPPED] = "stopped", [CHAIN_TRACED] = "debugger",
		[CHAIN_FROZEN] = "frozen",   [CHAIN_TRUNCATED] = "truncated",
	};

	return names[kind];
}

bool chain_kind_has_task(enum chain_kind kind)
{
	return kind <= CHAIN_UNTRACED;
}

static enum chain_kind root_of(const struct off_cpu *wait)
{
	static const enum chain_kind roots[WAIT_CAUSES] = {
		[WAIT_CAUSE_TASK] = CHAIN_TRUNCATED,  [WAIT_CAUSE_UNTRACED] = CHAIN_UNTRACED,
		[WAIT_CAUSE_TIMER] = CHAIN_TIMER,     [WAIT_CAUSE_DEVICE] = CHAIN_DEVICE,
		[WAIT_CAUSE_NETWORK] = CHAIN_NETWORK, [WAIT_CAUSE_INTERRUPT] = CHAIN_INTERRUPT,
		[WAIT_CAUSE_UNSEEN] = CHAIN_UNSEEN,   [WAIT_CAUSE_NOTHING] = CHAIN_NOTHING,
		[WAIT_CAUSE_STOPPED] = CHAIN_STOPPED, [WAIT_CAUSE_TRACED] = CHAIN_TRACED,
		[WAIT_CAUSE_FROZEN] = CHAIN_FROZEN,
	};

	return roots[wait->cause];
}

/* By which a task woke another. */
static enum chain_kind kind_of_way(const struct wait_history *history, const struct off_cpu *wait)
{
	const struct wait_shape *waker = wait_shape_get(&history->shapes, wait->waker_shape);

	return waker->key.context == SCALER_WAKER_WORKQUEUE ? CHAIN_WORK : CHAIN_FLIGHT;
}

int wait_chain_explain(const struct wait_history *history, uint32_t task, const struct off_cpu *wait,
		       uint64_t from_ns, uint64_t to_ns, uint32_t depth, const struct chain_visitor *visitor)
{
	const struct walk walk = { history, visitor, task, depth, from_ns };
	int err = 0;

	if (wait->sent_ns)
		err = tell(&walk, kind_of_way(history, wait), wait->waker_shape, wait->sent_ns, &to_ns);
	if (err)
		return err;
	if (wait->cause == WAIT_CAUSE_TASK && depth < CHAIN_DEPTH_LIMIT)
		return wait_chain_follow(history, wait->waker, wait->waker_shape, from_ns, to_ns, depth,
					 visitor);
	return tell(&walk, root_of(wait), wait->waker_shape, from_ns, &to_ns);
}

/* It was blocked up to then, or to its wakeup if that came before. */
static int follow_wait(const struct walk *walk, const struct off_cpu *wait, uint64_t *to_ns)
{
	uint64_t end_ns = *to_ns;
	uint64_t from_ns = later(wait->start_ns, walk->from_ns);
	int err = tell(walk, CHAIN_WAIT, wait->shape, wait->start_ns, to_ns);

	if (err || from_ns >= end_ns)
		return err;
	/* A thread that wakes another is awake: clocks disagree, or a record is missing. */
	if (end_ns < wait->woken_ns && wait->cause == WAIT_CAUSE_TASK) {
		const struct walk below = { walk->history, walk->visitor, walk->task, walk->depth + 1,
					    from_ns };

		return tell(&below, CHAIN_TRUNCATED, wait->waker_shape, from_ns, &end_ns);
	}
	return wait_chain_explain(walk->history, walk->task, wait, from_ns, end_ns, walk->depth + 1,
				  walk->visitor);
}

/* A thread is kept by the quota first, and then waits for a CPU like any other. */
static int follow_delay(const struct walk *walk, const struct off_cpu *off, uint64_t *to_ns)
{
	int err = tell(walk, CHAIN_RUNNABLE, off->delay_shape, off->woken_ns + off->quota_ns, to_ns);

	return err ?: tell(walk, CHAIN_QUOTA, off->delay_shape, off->woken_ns, to_ns);
}

/* Whatever its creator did up to then. */
static int follow_creation(const struct walk *walk, const struct off_cpu *first, uint64_t *to_ns)
{
	uint64_t end_ns = *to_ns;
	int err = tell(walk, CHAIN_CREATED, first->shape, walk->from_ns, to_ns);

	if (err || walk->from_ns >= end_ns)
		return err;
	return wait_chain_explain(walk->history, walk->task, first, walk->from_ns, end_ns, walk->depth + 1,
				  walk->visitor);
}

/* Returns 0 or what ends the walk. */
static int skip_items(const struct walk *walk, size_t *at)
{
	const struct chain_visitor *visitor = walk->visitor;
	int skipped;

	if (!visitor->skip)
		return 0;
	do {
		skipped = visitor->skip(visitor->data, walk->task, *at, walk->from_ns, walk->depth);
		if (skipped < 0)
			return skipped;
		*at -= (size_t)skipped;
	} while (skipped);
	return 0;
}

int wait_chain_follow(const struct wait_history *history, uint32_t task, uint32_t until_shape,
		      uint64_t from_ns, uint64_t to_ns, uint32_t depth, const struct chain_visitor *visitor)
{
	const struct walk walk = { history, visitor, task, depth, from_ns };
	const struct history_thread *thread = wait_history_find(history, task);
	/* A thread may have been created at that very time. */
	size_t at =
		thread ? array_count_below(thread->items, thread->count, sizeof(*thread->items), to_ns + 1) :
			 0;
	int err = 0;

	if (until_shape == WAIT_SHAPE_NONE)
		until_shape = wait_history_name(history, task);
	while (at && to_ns > from_ns && !err) {
		const struct off_cpu *off = &thread->items[--at];
		bool is_over = off->start_ns < to_ns;

		err = tell(&walk, history_thread_is_whole(thread, at + 1) ? CHAIN_RUNNING : CHAIN_TRUNCATED,
			   until_shape, off->end_ns, &to_ns);
		err = err ?: follow_delay(&walk, off, &to_ns);
		err = err ?: follow_wait(&walk, off, &to_ns);
		until_shape = is_over ? off->shape : until_shape;
		if (off->is_created)
			return err ?: follow_creation(&walk, off, &to_ns);
		if (off->was_found)
			return err ?: tell(&walk, CHAIN_TRUNCATED, until_shape, from_ns, &to_ns);
		if (err || until_shape != off->shape)
			continue;
		err = skip_items(&walk, &at);
		to_ns = later(thread->items[at].start_ns, from_ns);
		until_shape = thread->items[at].shape;
	}
	if (!err && thread && thread->known_since_ns && history_thread_is_whole(thread, 0))
		err = tell(&walk, CHAIN_RUNNING, until_shape, thread->known_since_ns, &to_ns);
	return err ?: tell(&walk, CHAIN_TRUNCATED, until_shape, from_ns, &to_ns);
}
