// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the chains' report put together: those of depth 0 are waits, those of depth 1 what happened meanwhile. */
#include "analysis/summary_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* What tells waits, and parts of them, apart. */
struct alike_key {
	uint64_t wait; /* of a part: the index of its wait, and 1; of a wait 0 */
	struct chain_what_key what;
};

struct alike {
	struct alike_key key;
	struct summary_wait sum; /* of a part what it has in common with a wait */
};

/* What is to be added to what is alike. */
struct addend {
	struct alike_key key;
	const struct chain_row *row;
	const char *name; /* of the threads, as zeros follow it */
};

static struct alike *alike_at(const struct distinct *all, size_t index)
{
	return &((struct alike *)all->items)[index];
}

/* Those of one group are alike wherever in the kernel they are; what running ended in says nothing of what ran. */
static struct addend make_addend(size_t wait, const struct chain_row *row, const char *name)
{
	struct addend addend = { { wait, { .kind = CHAIN_RUNNING } }, row, name };

	if (row->what.kind != CHAIN_RUNNING && name == row->what.shape->key.comm)
		addend.key.what = chain_what_key(&row->what);
	addend.key.what.kernel = 0;
	addend.key.what.innermost = 0;
	addend.key.what.cut = 0;
	memset(addend.key.what.cpu_holder, 0, sizeof(addend.key.what.cpu_holder));
	memset(addend.key.what.comm, 0, sizeof(addend.key.what.comm));
	if (chain_kind_has_task((enum chain_kind)addend.key.what.kind)) {
		memcpy(addend.key.what.comm, name, SCALER_COMM_SIZE);
		name_group_merge(addend.key.what.comm);
	}
	return addend;
}

/* SIZE_MAX: there is no memory. */
static size_t add(struct distinct *all, const struct addend *addend)
{
	const struct chain_row *row = addend->row;
	size_t index = distinct_add(all, &addend->key, sizeof(addend->key), sizeof(struct alike));
	struct summary_wait *sum;

	if (index == SIZE_MAX)
		return index;
	sum = &alike_at(all, index)->sum;
	if (!sum->count)
		sum->what = row->what;
	sum->what.kind = (enum chain_kind)addend->key.what.kind;
	sum->what.has_several |=
		row->what.has_several || !wait_shape_is_same_thing(sum->what.shape, row->what.shape);
	if (chain_kind_has_task(sum->what.kind))
		name_group_add(&sum->names, addend->name);
	sum->count += row->count;
	sum->total_ns += row->total_ns - row->idle_ns;
	sum->longest_ns = row->longest_ns > sum->longest_ns ? row->longest_ns : sum->longest_ns;
	return index;
}

static int add_part(struct distinct *parts, size_t wait, const struct chain_row *row, const char *name)
{
	const struct addend addend = make_addend(wait + 1, row, name);

	return row->total_ns > row->idle_ns && add(parts, &addend) == SIZE_MAX ? -ENOMEM : 0;
}

static bool is_same_futex(const struct chain_what *a, const struct chain_what *b)
{
	if (a->kind != CHAIN_WAIT || b->kind != CHAIN_WAIT ||
	    a->resource.recorded->kind != SCALER_RESOURCE_FUTEX ||
	    b->resource.recorded->kind != SCALER_RESOURCE_FUTEX)
		return false;
	return a->resource.variable == PLACE_NONE ? wait_shape_is_same_thing(a->shape, b->shape) :
						    a->resource.variable == b->resource.variable;
}

/*
 * What explains a row, which is the wait, or a part of it. Who queued for the same lock before is no cause: what
 * explains that wait stands for it, as what a creator did stands for a thread that was not there yet.
 */
static int add_parts(struct distinct *parts, size_t wait, const struct chain_row *whole,
		     const struct chain_row *row)
{
	int err = 0;

	for (size_t i = 1; i <= row->below && !err; i += row[i].below + 1) {
		if (row[i].below &&
		    (row[i].what.kind == CHAIN_CREATED || is_same_futex(&whole->what, &row[i].what)))
			err = add_parts(parts, wait, whole, &row[i]);
		else
			err = add_part(parts, wait, &row[i], row[i].what.shape->key.comm);
	}
	return err;
}

/* Where threads waited for a CPU, those that had it are what happened meanwhile. */
static int add_wait(struct distinct *waits, struct distinct *parts, const struct chain_row *row)
{
	const struct addend addend = make_addend(0, row, row->what.shape->key.comm);
	const char *holder = row->what.shape->key.cpu_holder;
	size_t wait = add(waits, &addend);
	int err = wait == SIZE_MAX ? -ENOMEM : 0;

	if (!err && row->what.kind == CHAIN_RUNNABLE && *holder)
		err = add_part(parts, wait, row, holder);
	return err ?: add_parts(parts, wait, row, row);
}

/* Into its wait's list, if it is one of the largest. */
static void place_part(struct summary_wait *wait, const struct summary_wait *part,
		       const struct runs_table *runs)
{
	size_t at = wait->part_count;

	while (at && wait->parts[at - 1].total_ns < part->total_ns)
		at--;
	if (at == SUMMARY_PARTS)
		return;
	if (wait->part_count < SUMMARY_PARTS)
		wait->part_count++;
	memmove(&wait->parts[at + 1], &wait->parts[at], (wait->part_count - at - 1) * sizeof(wait->parts[0]));
	wait->parts[at] = (struct summary_part){
		.what = part->what,
		.names = part->names,
		.total_ns = part->total_ns,
		.runs = runs_table_find(runs, part->names.merged),
	};
}

static int compare_waits(const void *left, const void *right)
{
	const struct summary_wait *a = left, *b = right;

	return array_order(b->total_ns, a->total_ns) ?: strcmp(a->names.merged, b->names.merged);
}

int summary_waits_make(const struct chain_report *chains, const struct runs_table *runs,
		       const struct kernel_names *kernel, struct summary *summary)
{
	struct distinct waits = { 0 }, parts = { 0 };
	int err = 0;

	for (size_t i = 0; i < chains->row_count && !err; i += chains->rows[i].below + 1) {
		if (chains->rows[i].total_ns > chains->rows[i].idle_ns &&
		    !kernel_names_have(kernel, chains->rows[i].what.shape->key.comm))
			err = add_wait(&waits, &parts, &chains->rows[i]);
	}
	summary->waits = calloc(waits.count + 1, sizeof(*summary->waits));
	if (!summary->waits)
		err = -ENOMEM;
	for (size_t i = 0; i < waits.count && !err; i++) {
		summary->waits[i] = alike_at(&waits, i)->sum;
		summary->waits_ns += summary->waits[i].total_ns;
		summary->wait_count++;
	}
	for (size_t i = 0; i < parts.count && !err; i++) {
		const struct alike *part = alike_at(&parts, i);

		place_part(&summary->waits[part->key.wait - 1], &part->sum, runs);
	}
	if (!err && waits.count)
		qsort(summary->waits, waits.count, sizeof(*summary->waits), compare_waits);
	distinct_clear(&waits);
	distinct_clear(&parts);
	return err;
}
