// SPDX-License-Identifier: GPL-2.0-only
/* System calls by library function: each goes to all functions that are open in its context; sort, merge. */
#include "analysis/library_syscalls.h"

#include <errno.h>
#include <stdlib.h>

#include "analysis/contexts.h"
#include "base/array.h"

/* A row of the fold as one of the functions has it that are open. */
struct part {
	uint32_t function;
	bool is_innermost;
	const struct profile_call *call; /* the profile's */
};

struct parts {
	struct part *items; /* owned */
	size_t count;
	size_t capacity;
};

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	const struct scaler_call_id *id_a = &a->call->key.id, *id_b = &b->call->key.id;

	return array_order(a->function, b->function)           ?:
		       array_order(id_a->abi, id_b->abi)       ?:
		       array_order(id_a->number, id_b->number) ?:
		       array_order(id_a->descriptor, id_b->descriptor);
}

static int compare_calls(const void *left, const void *right)
{
	const struct library_syscall *a = left, *b = right;

	return array_order(b->figures.total_ns, a->figures.total_ns)   ?:
		       array_order(b->figures.calls, a->figures.calls) ?:
		       array_order(a->number, b->number)               ?:
		       array_order(a->descriptor, b->descriptor);
}

static int compare_rows(const void *left, const void *right, void *data)
{
	const struct library_syscalls_row *a = left, *b = right;
	const enum sort_key *sort = data;

	return array_order(time_figures_value(&b->figures, *sort), time_figures_value(&a->figures, *sort)) ?:
		       array_order(a->function, b->function);
}

static int add_part(struct parts *parts, const struct part *part)
{
	struct part *items = array_reserve(parts->items, parts->count, &parts->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	parts->items = items;
	items[parts->count++] = *part;
	return 0;
}

/* Whether the function is open between the two, of which the first is deeper, the second not asked. */
static bool is_between(const struct contexts *contexts, const struct profile_context *from,
		       const struct profile_context *to, uint32_t function)
{
	for (; from && from != to; from = contexts_parent(contexts, from)) {
		if (from->key.function == function)
			return true;
	}
	return false;
}

static int add_parts(const struct profile *profile, const struct contexts *contexts,
		     const struct profile_call *call, struct parts *parts)
{
	const struct profile_context *innermost = contexts_find(contexts, call->key.context);
	const struct profile_context *open = innermost;
	int err = 0;

	for (; open && !err; open = contexts_parent(contexts, open)) {
		uint32_t function = open->key.function;

		if (function && function <= profile->functions->count &&
		    !is_between(contexts, innermost, open, function))
			err = add_part(parts, &(struct part){ function, open == innermost, call });
	}
	return err;
}

/* The parts from *at on of one function and one call. */
static void merge_call(struct library_syscall *call, const struct parts *parts, size_t *at)
{
	const struct part *first = &parts->items[*at];
	const struct scaler_call_id *id = &first->call->key.id;

	*call = (struct library_syscall){ id->abi, id->number, id->descriptor, { 0 }, { 0 } };
	for (; *at < parts->count && !compare_parts(&parts->items[*at], first); ++*at) {
		time_figures_add_call(&call->figures, parts->items[*at].call);
		if (parts->items[*at].is_innermost)
			time_figures_add_call(&call->self, parts->items[*at].call);
	}
}

static int merge_parts(const struct parts *parts, struct library_syscalls *syscalls)
{
	struct library_syscall *calls;

	syscalls->rows = calloc(parts->count + 1, sizeof(*syscalls->rows));
	syscalls->calls = calls = calloc(parts->count + 1, sizeof(*calls));
	if (!syscalls->rows || !calls)
		return -ENOMEM;
	for (size_t at = 0; at < parts->count;) {
		struct library_syscalls_row *row = &syscalls->rows[syscalls->row_count++];

		row->function = parts->items[at].function;
		row->calls = calls;
		while (at < parts->count && parts->items[at].function == row->function) {
			merge_call(&calls[row->call_count], parts, &at);
			time_figures_add(&row->figures, &calls[row->call_count].figures);
			time_figures_add(&row->self, &calls[row->call_count].self);
			row->call_count++;
		}
		qsort(calls, row->call_count, sizeof(*calls), compare_calls);
		calls += row->call_count;
	}
	return 0;
}

int library_syscalls_make(const struct profile *profile, enum sort_key sort,
			  struct library_syscalls *syscalls)
{
	struct parts parts = { 0 };
	struct contexts contexts;
	int err;

	*syscalls = (struct library_syscalls){ 0 };
	if (!profile->functions)
		return 0;
	err = contexts_index(profile, &contexts);
	if (err)
		return err;
	for (size_t i = 0; i < profile->call_count && !err; i++) {
		const struct profile_call *call = &profile->calls[i];
		size_t before = parts.count;

		err = add_parts(profile, &contexts, call, &parts);
		if (parts.count == before)
			time_figures_add_call(&syscalls->outside, call);
		time_figures_add_call(&syscalls->total, call);
	}
	if (parts.count)
		qsort(parts.items, parts.count, sizeof(*parts.items), compare_parts);
	err = err ?: merge_parts(&parts, syscalls);
	if (!err)
		qsort_r(syscalls->rows, syscalls->row_count, sizeof(*syscalls->rows), compare_rows, &sort);
	else
		library_syscalls_clear(syscalls);
	free(parts.items);
	contexts_clear(&contexts);
	return err;
}

void library_syscalls_clear(struct library_syscalls *syscalls)
{
	free(syscalls->rows);
	free(syscalls->calls);
	*syscalls = (struct library_syscalls){ 0 };
}
