// SPDX-License-Identifier: GPL-2.0-only
/* How many rows maps are given for what is to be traced. */
#include "plan/map_choice.h"

/* What bpf/ gives those maps that hold rows of threads or of library calls, and the ring buffer. */
#define DEFAULT_ROWS        (1U << 16)
#define DEFAULT_EVENT_BYTES (32U << 20)
/* 64 MiB for a map whose rows are not used. */
#define MOST_ROWS        (1U << 22)
#define MOST_EVENT_BYTES (256U << 20)
#define MEMORY_SHARE     64
/* Where there is memory: so many are used only if the target comes to have them, and no map can grow then. */
#define SPARE_CALL_ROWS (1U << 18)
#define CALL_ROW_BYTES  1280 /* in the kernel */

#define CALLS_OF_A_THREAD      32 /* different ones, by component and table */
#define ERRORS_OF_A_THREAD     4
#define THREADS_OF_A_THREAD    4  /* that end, until they are looked for */
#define CONTEXTS_OF_A_FUNCTION 16 /* different callers */
#define EVENT_BYTES_OF_A_CPU   (8U << 20)

/* A power of two; none is chosen where the default is enough. */
static void choose(uint32_t *rows, uint64_t needed)
{
	uint32_t chosen = DEFAULT_ROWS;

	if (*rows || needed <= DEFAULT_ROWS)
		return;
	while (chosen < needed && chosen < MOST_ROWS)
		chosen *= 2;
	*rows = chosen;
}

static uint64_t call_rows(const struct map_needs *needs)
{
	uint64_t needed = needs->threads * CALLS_OF_A_THREAD, spare = SPARE_CALL_ROWS;

	while (spare > DEFAULT_ROWS && spare * CALL_ROW_BYTES > needs->memory_bytes / MEMORY_SHARE)
		spare /= 2;
	return needed > spare ? needed : spare;
}

static void choose_event_bytes(uint32_t *bytes, const struct map_needs *needs)
{
	uint32_t chosen = DEFAULT_EVENT_BYTES;

	while (chosen < needs->cpus * EVENT_BYTES_OF_A_CPU && chosen < MOST_EVENT_BYTES &&
	       chosen * 2ULL <= needs->memory_bytes / MEMORY_SHARE)
		chosen *= 2;
	if (!*bytes && chosen > DEFAULT_EVENT_BYTES)
		*bytes = chosen;
}

void map_choice_fill(uint32_t rows[RECORDER_MAP_COUNT], const struct map_needs *needs)
{
	choose(&rows[RECORDER_MAP_THREADS], needs->threads * THREADS_OF_A_THREAD);
	choose(&rows[RECORDER_MAP_CALLS], call_rows(needs));
	choose(&rows[RECORDER_MAP_ERRORS], needs->threads * ERRORS_OF_A_THREAD);
	choose(&rows[RECORDER_MAP_CONTEXTS], needs->functions * CONTEXTS_OF_A_FUNCTION);
	choose_event_bytes(&rows[RECORDER_MAP_EVENTS], needs);
}
