// SPDX-License-Identifier: GPL-2.0-only
/* What happened between two cuts, and its names, as payloads. */
#include "trace/chunk_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/array.h"
#include "trace/making.h"
#include "trace/rows.h"

void *making_row(struct making *making, struct rows *rows, size_t row_bytes)
{
	char *items = array_reserve(rows->items, rows->count, &rows->capacity, row_bytes);

	if (!items) {
		making->failed = true;
		return NULL;
	}
	rows->items = items;
	return memset(items + row_bytes * rows->count++, 0, row_bytes);
}

void making_rows(struct making *making, enum trace_kind kind, struct rows *rows, size_t row_bytes)
{
	trace_payload_add(making->payload, kind, rows->items, row_bytes, rows->count);
	free(rows->items);
	*rows = (struct rows){ 0 };
}

uint32_t making_text(struct making *making, const char *text)
{
	size_t at = making->string_bytes;

	if (!text || at + strlen(text) >= TRACE_NO_TEXT)
		return TRACE_NO_TEXT;
	fwrite(text, 1, strlen(text) + 1, making->out);
	making->string_bytes += strlen(text) + 1;
	return (uint32_t)at;
}

bool making_is_new_pair(struct making *making, enum trace_kind kind, uint64_t number, uint64_t second)
{
	struct distinct *written = &making->writer->written;
	const uint64_t key[] = { kind, number, second };
	size_t count = written->count;

	if (distinct_add(written, key, sizeof(key), sizeof(key)) == SIZE_MAX)
		making->failed = true;
	return written->count > count;
}

static void add_cut(struct making *making, bool is_last)
{
	const struct profile *profile = making->profile;
	const struct trace_cut_row cut = {
		.window = profile->window,
		.paused_ns = profile->paused_ns,
		.wall_clock_ns = profile->wall_clock_ns,
		.recording_start_ns = profile->recording_start_ns,
		.dropped_intervals = profile->blocking.dropped,
		.cpu_ns = profile->cost.cpu_ns,
		.resident_bytes = profile->cost.resident_bytes,
		.kernel_bytes = profile->cost.kernel_bytes,
		.has_probes = profile->cost.has_probes,
		.is_last = is_last,
		.spending = profile->cost.spending,
		.sampling = profile->sampling,
		.library_sampling = profile->library_sampling,
	};

	trace_payload_add(making->payload, TRACE_CUT_ROW, &cut, sizeof(cut), 1);
}

/* What is in memory as it is in the file. */
static void add_plain(struct making *making)
{
	const struct profile *profile = making->profile;
	struct trace_payload *payload = making->payload;

	trace_payload_add(payload, TRACE_THREADS, profile->threads, sizeof(*profile->threads),
			  profile->thread_count);
	trace_payload_add(payload, TRACE_GROUPS, profile->groups, sizeof(*profile->groups),
			  profile->group_count);
	trace_payload_add(payload, TRACE_OPEN_CALLS, profile->open_calls, sizeof(*profile->open_calls),
			  profile->open_call_count);
	trace_payload_add(payload, TRACE_CALLS, profile->calls, sizeof(*profile->calls), profile->call_count);
	trace_payload_add(payload, TRACE_LIBRARY_CALLS, profile->library_calls,
			  sizeof(*profile->library_calls), profile->library_call_count);
	trace_payload_add(payload, TRACE_ERRORS, profile->errors, sizeof(*profile->errors),
			  profile->error_count);
	trace_payload_add(payload, TRACE_SAMPLES, profile->samples.rows.items, sizeof(struct sample_row),
			  profile->samples.rows.count);
	trace_payload_add(payload, TRACE_INTERVALS, profile->blocking.items, sizeof(*profile->blocking.items),
			  profile->blocking.count);
	trace_payload_add(payload, TRACE_REQUESTS, profile->blocking.requests,
			  sizeof(*profile->blocking.requests), profile->blocking.request_count);
}

static void add_losses(struct making *making)
{
	struct rows rows = { 0 };

	for (uint32_t cause = 0; cause < SCALER_LOSS_COUNTERS; cause++) {
		struct trace_loss_row *row;

		if (!making->profile->losses[cause])
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_loss_row){
				.cause = cause == SCALER_FILTERED_BLOCKING ? TRACE_FILTERED : cause,
				.count = making->profile->losses[cause],
			};
	}
	making_rows(making, TRACE_LOSSES, &rows, sizeof(struct trace_loss_row));
}

/* Of rows that are in memory as in the file those that no chunk has, by the number of each. */
static void add_new(struct making *making, enum trace_kind kind, const void *items, size_t row_bytes,
		    size_t count, uint64_t (*number_of)(const void *item))
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *item = (const char *)items + i * row_bytes;
		void *row = making_is_new(making, kind, number_of(item)) ?
				    making_row(making, &rows, row_bytes) :
				    NULL;

		if (row)
			memcpy(row, item, row_bytes);
	}
	making_rows(making, kind, &rows, row_bytes);
}

static uint64_t component_number(const void *item)
{
	return ((const struct profile_component *)item)->number;
}

static uint64_t context_number(const void *item)
{
	return ((const struct profile_context *)item)->context.number;
}

static uint64_t socket_number(const void *item)
{
	return ((const struct socket_ends *)item)->inode;
}

static void add_numbered(struct making *making)
{
	const struct profile *profile = making->profile;

	add_new(making, TRACE_COMPONENTS, profile->components, sizeof(*profile->components),
		profile->component_count, component_number);
	add_new(making, TRACE_CONTEXTS, profile->contexts, sizeof(*profile->contexts), profile->context_count,
		context_number);
	add_new(making, TRACE_SOCKETS, profile->sockets.items, sizeof(*profile->sockets.items),
		profile->sockets.count, socket_number);
}

static void add_stacks(struct making *making)
{
	const struct stacks *stacks = &making->profile->stacks;
	struct rows rows = { 0 }, sites = { 0 };

	for (size_t i = 0; i < stacks->count; i++) {
		const struct stack *stack = &stacks->items[i];
		struct trace_stack_row *row;

		if (!making_is_new(making, TRACE_STACKS, stack->number))
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_stack_row){ .number = stack->number,
							 .count = (uint32_t)stack->count,
							 .end = (uint8_t)stack->end,
							 .unsure = stack->unsure };
		for (size_t at = 0; at < stack->count; at++) {
			uint64_t *site = making_row(making, &sites, sizeof(*site));

			if (site)
				*site = stacks->sites[stack->first + at];
		}
	}
	making_rows(making, TRACE_STACKS, &rows, sizeof(struct trace_stack_row));
	making_rows(making, TRACE_STACK_SITES, &sites, sizeof(uint64_t));
}

static void add_paths(struct making *making)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < making->profile->paths.count; i++) {
		const struct file_path *path = &making->profile->paths.items[i];
		struct trace_path_row *row;

		if (!making_is_new(making, TRACE_PATHS, path->number))
			continue;
		row = making_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_path_row){ path->number, making_text(making, path->text),
							path->is_deleted };
	}
	making_rows(making, TRACE_PATHS, &rows, sizeof(struct trace_path_row));
}

static struct trace_function_row function_row(struct making *making, const struct library_function *function)
{
	return (struct trace_function_row){
		.library = making_text(making, function->library),
		.symbol = making_text(making, function->symbol),
		.name = making_text(making, function->name),
		.version = making_text(making, function->version),
		.omitted = making_text(making, function->omitted),
		.untimed = making_text(making, function->untimed),
		.is_sampled = function->is_sampled,
		.alias_count = (uint32_t)function->alias_count,
		.unhooked_ns = function->unhooked_ns,
		.since_ns = function->since_ns,
	};
}

/* The numbers of what may change from one chunk to the next. */
static uint64_t hash_functions(const struct library_functions *functions)
{
	uint64_t hash = XXH64(&functions->coverage, sizeof(functions->coverage), functions->count);

	hash = XXH64(&functions->refused_count, sizeof(functions->refused_count), hash);
	for (size_t i = 0; i < functions->refused_count; i++)
		hash = XXH64(&functions->refused[i].processes, sizeof(uint64_t), hash);
	for (size_t i = 0; i < functions->count; i++) {
		const struct library_function *function = &functions->items[i];
		const uint64_t changing[] = { function->unhooked_ns, function->since_ns, function->is_sampled,
					      function->omitted != NULL, function->untimed != NULL };

		hash = XXH64(changing, sizeof(changing), hash);
	}
	return hash | 1;
}

static void add_refused(struct making *making, const struct library_functions *functions)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < functions->refused_count; i++) {
		const struct library_refused *refused = &functions->refused[i];
		struct trace_refused_row *row = making_row(making, &rows, sizeof(*row));

		if (row)
			*row = (struct trace_refused_row){ .program = making_text(making, refused->program),
							   .library = making_text(making, refused->library),
							   .reason = making_text(making, refused->reason),
							   .processes = refused->processes };
	}
	making_rows(making, TRACE_REFUSED, &rows, sizeof(struct trace_refused_row));
}

static void add_functions(struct making *making)
{
	const struct library_functions *functions = making->profile->functions;
	struct rows rows = { 0 }, names = { 0 };
	uint64_t hash = functions ? hash_functions(functions) : 0;

	if (!functions || hash == making->writer->functions_hash)
		return;
	making->writer->functions_hash = hash;
	trace_payload_add(making->payload, TRACE_COVERAGE, &functions->coverage, sizeof(functions->coverage),
			  1);
	for (size_t i = 0; i < functions->count; i++) {
		struct trace_function_row *row = making_row(making, &rows, sizeof(*row));

		if (row)
			*row = function_row(making, &functions->items[i]);
		for (size_t at = 0; at < functions->items[i].alias_count; at++) {
			uint32_t *name = making_row(making, &names, sizeof(*name));

			if (name)
				*name = making_text(making, functions->items[i].aliases[at]);
		}
	}
	making_rows(making, TRACE_FUNCTIONS, &rows, sizeof(struct trace_function_row));
	making_rows(making, TRACE_FUNCTION_NAMES, &names, sizeof(uint32_t));
	add_refused(making, functions);
}

static void add_names_of_all(struct making *making)
{
	making_text(making, "");
	add_numbered(making);
	add_stacks(making);
	add_paths(making);
	add_functions(making);
	making_places(making);
}

static void add_marks(struct making *making, const struct marks *marks)
{
	struct rows rows = { 0 };

	for (size_t i = 0; marks && i < marks->count; i++) {
		struct trace_mark_row *row = making_row(making, &rows, sizeof(*row));

		if (row)
			*row = (struct trace_mark_row){ .time_ns = marks->items[i].time_ns,
							.kind = marks->items[i].kind,
							.text = making_text(making, marks->items[i].name) };
	}
	making_rows(making, TRACE_MARKS, &rows, sizeof(struct trace_mark_row));
}

/* With the strings, if anything has any. Returns 0 or -ENOMEM. */
static int finish(struct making *making, char **strings)
{
	making->failed |= fclose(making->out) != 0;
	if (making->payload->size && making->string_bytes > 1)
		trace_payload_add(making->payload, TRACE_STRINGS, *strings, 1, making->string_bytes);
	free(*strings);
	return making->failed || making->payload->failed ? -ENOMEM : 0;
}

int chunk_writer_name(struct chunk_writer *writer, const struct profile *difference,
		      const struct places *places, struct trace_payload *payload)
{
	char *strings = NULL;
	size_t bytes;
	struct making making = { .writer = writer,
				 .profile = difference,
				 .places = places,
				 .payload = payload,
				 .out = open_memstream(&strings, &bytes) };

	if (!making.out)
		return -ENOMEM;
	add_names_of_all(&making);
	return finish(&making, &strings);
}

int chunk_writer_make(const struct profile *difference, const struct marks *marks, bool is_last,
		      struct trace_payload *payload)
{
	char *strings = NULL;
	size_t bytes;
	struct making making = { .profile = difference,
				 .payload = payload,
				 .out = open_memstream(&strings, &bytes) };

	if (!making.out)
		return -ENOMEM;
	making_text(&making, "");
	add_cut(&making, is_last);
	add_marks(&making, marks);
	add_plain(&making);
	add_losses(&making);
	return finish(&making, &strings);
}

void chunk_writer_clear(struct chunk_writer *writer)
{
	distinct_clear(&writer->written);
	*writer = (struct chunk_writer){ 0 };
}
