// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains made while it is recorded. */
#include "analysis/chain_builder.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
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
	return !(interval->flags & SCALER_BLOCKING_NOT) &&
	       (interval->woken_ns || interval->end_ns || !(interval->flags & SCALER_BLOCKING_FOUND));
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
	item->stage = WAIT_STAGE_PENDING;
	if (builder->filter &&
	    !blocking_filter_fits(builder->filter, interval, UINT64_MAX, builder->recording_start_ns))
		item->stage = WAIT_STAGE_UNWANTED;
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

static int explain(struct chain_builder *builder, const struct scaler_window *window, uint32_t task,
		   struct off_cpu *wait)
{
	uint64_t from_ns = later(wait->start_ns, window->start_ns);
	uint64_t to_ns = wait->woken_ns < window->end_ns ? wait->woken_ns : window->end_ns;
	uint64_t blocked_ns = to_ns > from_ns ? to_ns - from_ns : 0;

	if (wait->stage == WAIT_STAGE_UNWANTED ||
	    (builder->filter && blocked_ns < builder->filter->least_ns)) {
		wait->stage = WAIT_STAGE_DONE;
		builder->left_out++;
		return 0;
	}
	wait->stage = WAIT_STAGE_DONE;
	return chain_tree_add(&builder->tree, &builder->history, task, wait, from_ns, to_ns);
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
		if (wait->woken_ns > until_ns)
			builder->pending[left++] = pending;
		else
			err = explain(builder, window, pending.task, wait);
	}
	builder->pending_count = left;
	return err;
}

void chain_builder_forget(struct chain_builder *builder, uint64_t now_ns)
{
	struct wait_history *history = &builder->history;

	if (builder->history_ns && now_ns > builder->history_ns)
		wait_history_forget(history, now_ns - builder->history_ns);
	for (uint64_t ns = wait_history_oldest(history);
	     history->item_count > CHAIN_HISTORY_LIMIT && ns < now_ns;) {
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

uint64_t *chain_builder_sites(const struct chain_builder *builder, size_t *count)
{
	const struct distinct *shapes = &builder->history.shapes;
	uint64_t *sites = calloc(3 * shapes->count + 1, sizeof(*sites));

	*count = 0;
	for (size_t i = 0; i < shapes->count && sites; i++) {
		const struct wait_shape_key *key = &wait_shape_get(shapes, (uint32_t)i)->key;

		if (key->site)
			sites[(*count)++] = key->site;
		if (key->kernel)
			sites[(*count)++] = key->kernel;
		if (key->variable)
			sites[(*count)++] = key->variable;
	}
	return sites;
}

void chain_builder_clear(struct chain_builder *builder)
{
	wait_history_clear(&builder->history);
	chain_tree_clear(&builder->tree);
	free(builder->pending);
	*builder = (struct chain_builder){ 0 };
}
