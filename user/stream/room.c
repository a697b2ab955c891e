// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the maps that hold rows of threads from being full of those that have exited. */
#include "stream/fold.h"

#include <stdbool.h>

#include "stream/exited.h"

/*
 * Whether a map holds so many rows of exited threads that it pays to look for them among all: a quarter of what it has
 * room for. Which rows are whose is not known, so all threads are taken to have as many.
 */
static bool has_many(uint64_t rows, uint32_t capacity, uint64_t exited, uint64_t living)
{
	uint64_t free_rows = rows < capacity ? capacity - rows : 0;

	return exited && rows * exited / (exited + living) * 4 >= free_rows;
}

static bool is_due(const struct recorder *recorder)
{
	const struct recorder_rows rows = recorder_rows(recorder);
	uint64_t exited = rows.held[SCALER_ROWS_THREADS];
	bool is_due = false;

	for (int map = 0; map < SCALER_ROWS_COUNT && !is_due; map++)
		is_due = has_many(rows.held[map], rows.capacity[map], exited,
				  map == SCALER_ROWS_THREADS ? 0 : rows.living);
	return is_due;
}

int fold_make_room(const struct recorder *recorder, struct ended_threads *ended)
{
	struct thread_list threads = { 0 };
	struct profile taken = { 0 };
	int err;

	if (!is_due(recorder))
		return 0;
	err = exited_take(recorder, &threads, &taken);
	for (size_t i = 0; i < threads.count && !err; i++)
		err = profile_add_thread(&taken, &threads.items[i]);
	if (!err)
		err = ended_threads_add(ended, &taken);
	thread_list_clear(&threads);
	profile_clear(&taken);
	return err;
}
