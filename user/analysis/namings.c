// SPDX-License-Identifier: GPL-2.0-only
/* Threads under the names that they are put together by. */
#include "analysis/namings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/name_group.h"
#include "base/array.h"

/* How all kernel threads are called: no thread has that name. */
#define KERNEL_NAME "[kernel threads"

static int compare_serials(const void *left, const void *right)
{
	const struct named_thread *a = left, *b = right;

	return array_order(a->row->serial, b->row->serial);
}

/* A process's main thread first. */
static int compare_processes(const void *left, const void *right)
{
	const struct named_thread *a = left, *b = right;

	return array_order(a->row->pid, b->row->pid)                                       ?:
		       array_order(a->row->tid != a->row->pid, b->row->tid != b->row->pid) ?:
		       array_order(a->row->serial, b->row->serial);
}

static void name_thread(struct named_thread *thread, const char *name)
{
	thread->name = thread->row->is_kernel ? KERNEL_NAME : name;
	memcpy(thread->merged, thread->name, SCALER_COMM_SIZE);
	name_group_merge(thread->merged);
}

int namings_make(const struct thread_summary *summary, bool by_processes, struct namings *namings)
{
	struct named_thread *items = calloc(summary->row_count + 1, sizeof(*items));

	*namings = (struct namings){ items, summary->row_count };
	if (!items)
		return -ENOMEM;
	for (size_t i = 0; i < namings->count; i++)
		items[i].row = &summary->rows[i];
	if (by_processes)
		qsort(items, namings->count, sizeof(*items), compare_processes);
	for (size_t i = 0; i < namings->count; i++) {
		bool follows = by_processes && i && items[i].row->pid == items[i - 1].row->pid;

		name_thread(&items[i], follows ? items[i - 1].name : items[i].row->comm);
	}
	qsort(items, namings->count, sizeof(*items), compare_serials);
	return 0;
}

void namings_sort_by_process(struct namings *namings)
{
	qsort(namings->items, namings->count, sizeof(*namings->items), compare_processes);
}

void namings_clear(struct namings *namings)
{
	free(namings->items);
	*namings = (struct namings){ 0 };
}
