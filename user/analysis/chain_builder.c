// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains made while it is recorded. */
#include "analysis/chain_builder.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

/* CLOCK_MONOTONIC. */
struct span {
	uint64_t from_ns;
	uint64_t to_ns;
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int add_pending(struct chain_builder *builder, const struct scaler_blocking_interval *interval)
{
	struct pending_wait *pending = array_reserve(builder->pending, builder->pending_count,
						     &builder->pending_capacity, sizeof(*pending));

	if (!pending)
		return -ENOMEM;
	builder->pending = pending;
	pending[builder->pending_count++] = (struct pending_wait){ interval->where.task, interval->start_ns };
	return 0;
}

/* Not those that had begun before the recording and never ended: they would hide all others. */
static bool is_explained(const struct scaler_blocking_interval *interval)
{
	return interval->woken_ns || interval->end_ns || !(interval->flags & SCALER_BLOCKING_FOUND);
}

/* Whether it is among those that are asked for; how long it was comes later. */
static bool is_wanted(const struct chain_builder *builder, const struct scaler_blocking_interval *interval)
{
	return !builder->filter ||
	       blocking_filter_fits(builder->filter, interval, UINT64_MAX, builder->recording_start_ns);
}

static int add_interval(struct chain_builder *builder, const struct blocking_intervals *intervals,
			const struct scaler_blocking_interval *interval)
{
	struct off_cpu *item = wait_history_add(&builder->history, interval,
						blocking_intervals_request(intervals, interval));

	if (!item)
		return -ENOMEM;
	if (!builder->explains || item->stage != WAIT_STAGE_NEW || !is_explained(interval))
		return 0;
	item->stage = is_wanted(builder, interval) ? WAIT_STAGE_PENDING : WAIT_STAGE_UNWANTED;
	return add_pending(builder, interval);
}

int chain_builder_add(struct chain_builder *builder, struct profile *profile)
{
	struct wait_history *history = &builder->history;
	int err = 0;

	history->sockets = &profile->sockets;
	history->wall_clock_ns = profile->wall_clock_ns;
	builder->recording_start_ns = profile->recording_start_ns;
	for (size_t i = 0; i < profile->thread_count && !err; i++) {
		const struct scaler_thread *thread = &profile->threads[i];

		err = wait_history_add_thread(history, thread->serial, thread->comm,
					      later(thread->start_ns, profile->recording_start_ns));
	}
	for (size_t i = 0; i < profile->blocking.count && !err; i++)
		err = add_interval(builder, &profile->blocking, &profile->blocking.items[i]);
	history->sockets = NULL;
	return err;
}

/* What of a time is within the window; empty if nothing is. */
static struct span clip(const struct scaler_window *window, uint64_t from_ns, uint64_t to_ns)
{
	struct span span = { later(from_ns, window->start_ns), earlier(to_ns, window->end_ns) };

	span.to_ns = later(span.from_ns, span.to_ns);
	return span;
}

static bool is_long_enough(const struct chain_builder *builder, const struct span *span)
{
	return !builder->filter || span->to_ns - span->from_ns >= builder->filter->least_ns;
}

static int explain_wait(struct chain_builder *builder, const struct scaler_window *window, uint32_t task,
			const struct off_cpu *wait, bool is_unwanted)
{
	const struct span span = clip(window, wait->start_ns, wait->woken_ns);

	/* It may never have been blocked. */
	if (wait->woken_ns <= wait->start_ns)
		return 0;
	if (is_unwanted || !is_long_enough(builder, &span)) {
		builder->left_out++;
		return 0;
	}
	return chain_tree_add(&builder->tree, &builder->history, task, wait, span.from_ns, span.to_ns);
}

/* For its quota first, and then for a CPU. The states that a filter can have are of threads that are blocked. */
static int add_delays(struct chain_builder *builder, const struct scaler_window *window, uint32_t task,
		      const struct off_cpu *off)
{
	uint64_t quota_end_ns = off->woken_ns + off->quota_ns;
	const struct span quota = clip(window, off->woken_ns, quota_end_ns);
	const struct span delay = clip(window, quota_end_ns, off->end_ns);
	int err = 0;

	if (builder->filter && builder->filter->states)
		return 0;
	if (is_long_enough(builder, &quota))
		err = chain_tree_add_delay(&builder->tree, task, off, CHAIN_QUOTA, quota.from_ns,
					   quota.to_ns);
	if (!err && is_long_enough(builder, &delay))
		err = chain_tree_add_delay(&builder->tree, task, off, CHAIN_RUNNABLE, delay.from_ns,
					   delay.to_ns);
	return err;
}

static int explain(struct chain_builder *builder, const struct scaler_window *window, uint32_t task,
		   struct off_cpu *off)
{
	bool is_unwanted = off->stage == WAIT_STAGE_UNWANTED;
	int err;

	off->stage = WAIT_STAGE_DONE;
	err = explain_wait(builder, window, task, off, is_unwanted);
	return err ?: is_unwanted ? 0 : add_delays(builder, window, task, off);
}

int chain_builder_explain(struct chain_builder *builder, const struct scaler_window *window,
			  uint64_t until_ns)
{
	size_t left = 0;
	int err = 0;

	for (size_t i = 0; i < builder->pending_count && !err; i++) {
		const struct pending_wait pending = builder->pending[i];
		struct off_cpu *wait = wait_history_get(&builder->history, pending.task, pending.start_ns);

		/* What was told twice is there twice. */
		if (!wait || wait->stage == WAIT_STAGE_DONE)
			continue;
		if (wait->end_ns > until_ns)
			builder->pending[left++] = pending;
		else
			err = explain(builder, window, pending.task, wait);
	}
	builder->pending_count = left;
	return err;
}

void chain_builder_forget(struct chain_builder *builder, uint64_t now_ns)
{
	size_t limit = builder->history_limit ?: CHAIN_HISTORY_LIMIT;
	struct wait_history *history = &builder->history;

	if (builder->history_ns && now_ns > builder->history_ns)
		wait_history_forget(history, now_ns - builder->history_ns);
	for (uint64_t ns = wait_history_oldest(history); history->item_count > limit && ns < now_ns;) {
		ns += (now_ns - ns + 1) / 2;
		wait_history_forget(history, ns);
	}
}

void chain_builder_next(struct chain_builder *builder)
{
	wait_history_forget_open(&builder->history);
	chain_tree_clear(&builder->tree);
	builder->pending_count = 0;
	builder->left_out = 0;
}

int chain_builder_things(const struct chain_builder *builder, struct wait_things *things)
{
	const struct distinct *shapes = &builder->history.shapes;
	int err = wait_things_reserve(things, 3 * shapes->count, shapes->count);

	for (size_t i = 0; i < shapes->count && !err; i++) {
		const struct wait_shape_key *key = &wait_shape_get(shapes, (uint32_t)i)->key;

		if (key->site)
			things->sites[things->site_count++] = key->site;
		if (key->kernel)
			things->sites[things->site_count++] = key->kernel;
		if (key->variable)
			things->sites[things->site_count++] = key->variable;
		if (key->disk)
			things->disks[things->disk_count++] = key->disk;
		if (key->origin == SCALER_WAKER_HARDIRQ && key->vector != SCALER_VECTOR_NONE)
			things->interrupts[things->interrupt_count++] = key->vector;
	}
	return err;
}

void chain_builder_clear(struct chain_builder *builder)
{
	wait_history_clear(&builder->history);
	chain_tree_clear(&builder->tree);
	free(builder->pending);
	*builder = (struct chain_builder){ 0 };
}
