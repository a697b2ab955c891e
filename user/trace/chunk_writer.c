// SPDX-License-Identifier: GPL-2.0-only
/* What happened between two cuts, as a chunk's payload. */
#include "trace/chunk_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "base/array.h"
#include "trace/rows.h"

/* A chunk under way. */
struct making {
	struct chunk_writer *writer;
	const struct profile *profile;
	const struct places *places;
	struct trace_payload *payload;
	FILE *out; /* the strings */
	size_t string_bytes;
	bool failed;
};

/* Rows that are collected before they are added. */
struct rows {
	char *items; /* owned */
	size_t count;
	size_t capacity;
};

static void *add_row(struct making *making, struct rows *rows, size_t row_bytes)
{
	char *items = array_reserve(rows->items, rows->count, &rows->capacity, row_bytes);

	if (!items) {
		making->failed = true;
		return NULL;
	}
	rows->items = items;
	return memset(items + row_bytes * rows->count++, 0, row_bytes);
}

static void add_rows(struct making *making, enum trace_kind kind, struct rows *rows, size_t row_bytes)
{
	trace_payload_add(making->payload, kind, rows->items, row_bytes, rows->count);
	free(rows->items);
	*rows = (struct rows){ 0 };
}

/* Where the text begins among the strings; NULL is none. */
static uint32_t add_text(struct making *making, const char *text)
{
	size_t at = making->string_bytes;

	if (!text || at + strlen(text) >= TRACE_NO_TEXT)
		return TRACE_NO_TEXT;
	fwrite(text, 1, strlen(text) + 1, making->out);
	making->string_bytes += strlen(text) + 1;
	return (uint32_t)at;
}

/* Whether no chunk has the thing of that kind and numbers; then this one has. */
static bool is_new_pair(struct making *making, enum trace_kind kind, uint64_t number, uint64_t second)
{
	struct distinct *written = &making->writer->written;
	const uint64_t key[] = { kind, number, second };
	size_t count = written->count;

	if (distinct_add(written, key, sizeof(key), sizeof(key)) == SIZE_MAX)
		making->failed = true;
	return written->count > count;
}

static bool is_new(struct making *making, enum trace_kind kind, uint64_t number)
{
	return is_new_pair(making, kind, number, 0);
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
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_loss_row){
				.cause = cause == SCALER_FILTERED_BLOCKING ? TRACE_FILTERED : cause,
				.count = making->profile->losses[cause],
			};
	}
	add_rows(making, TRACE_LOSSES, &rows, sizeof(struct trace_loss_row));
}

/* Of rows that are in memory as in the file those that no chunk has, by the number of each. */
static void add_new(struct making *making, enum trace_kind kind, const void *items, size_t row_bytes,
		    size_t count, uint64_t (*number_of)(const void *item))
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *item = (const char *)items + i * row_bytes;
		void *row = is_new(making, kind, number_of(item)) ? add_row(making, &rows, row_bytes) : NULL;

		if (row)
			memcpy(row, item, row_bytes);
	}
	add_rows(making, kind, &rows, row_bytes);
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

		if (!is_new(making, TRACE_STACKS, stack->number))
			continue;
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_stack_row){ .number = stack->number,
							 .count = (uint32_t)stack->count,
							 .end = (uint8_t)stack->end,
							 .unsure = stack->unsure };
		for (size_t at = 0; at < stack->count; at++) {
			uint64_t *site = add_row(making, &sites, sizeof(*site));

			if (site)
				*site = stacks->sites[stack->first + at];
		}
	}
	add_rows(making, TRACE_STACKS, &rows, sizeof(struct trace_stack_row));
	add_rows(making, TRACE_STACK_SITES, &sites, sizeof(uint64_t));
}

static void add_paths(struct making *making)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < making->profile->paths.count; i++) {
		const struct file_path *path = &making->profile->paths.items[i];
		struct trace_path_row *row;

		if (!is_new(making, TRACE_PATHS, path->number))
			continue;
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_path_row){ path->number, add_text(making, path->text),
							path->is_deleted };
	}
	add_rows(making, TRACE_PATHS, &rows, sizeof(struct trace_path_row));
}

static struct trace_function_row function_row(struct making *making, const struct library_function *function)
{
	return (struct trace_function_row){
		.library = add_text(making, function->library),
		.symbol = add_text(making, function->symbol),
		.name = add_text(making, function->name),
		.version = add_text(making, function->version),
		.omitted = add_text(making, function->omitted),
		.untimed = add_text(making, function->untimed),
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
		struct trace_refused_row *row = add_row(making, &rows, sizeof(*row));

		if (row)
			*row = (struct trace_refused_row){ .program = add_text(making, refused->program),
							   .library = add_text(making, refused->library),
							   .reason = add_text(making, refused->reason),
							   .processes = refused->processes };
	}
	add_rows(making, TRACE_REFUSED, &rows, sizeof(struct trace_refused_row));
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
		struct trace_function_row *row = add_row(making, &rows, sizeof(*row));

		if (row)
			*row = function_row(making, &functions->items[i]);
		for (size_t at = 0; at < functions->items[i].alias_count; at++) {
			uint32_t *name = add_row(making, &names, sizeof(*name));

			if (name)
				*name = add_text(making, functions->items[i].aliases[at]);
		}
	}
	add_rows(making, TRACE_FUNCTIONS, &rows, sizeof(struct trace_function_row));
	add_rows(making, TRACE_FUNCTION_NAMES, &names, sizeof(uint32_t));
	add_refused(making, functions);
}

static uint32_t component_flags(const struct place_component *component)
{
	return (component->is_application ? TRACE_COMPONENT_APPLICATION : 0) |
	       (component->is_runtime ? TRACE_COMPONENT_RUNTIME : 0) |
	       (component->is_tracer ? TRACE_COMPONENT_TRACER : 0) |
	       (component->is_generated ? TRACE_COMPONENT_GENERATED : 0) |
	       (component->is_moved ? TRACE_COMPONENT_MOVED : 0);
}

static void add_place_components(struct making *making)
{
	const struct places *places = making->places;
	struct rows rows = { 0 }, numbers = { 0 };

	for (size_t i = 0; i < places->component_count; i++) {
		const struct place_component *component = &places->components[i];
		struct trace_place_component_row *row = add_row(making, &rows, sizeof(*row));

		if (row)
			*row = (struct trace_place_component_row){
				.name = add_text(making, component->name),
				.path = add_text(making, component->path),
				.build_id = add_text(making, component->build_id),
				.problem = add_text(making, component->problem),
				.flags = component_flags(component),
			};
	}
	for (uint32_t number = 0; number < places->number_count; number++) {
		struct trace_place_number_row *row;

		if (!places->component_of[number] || !is_new(making, TRACE_PLACE_NUMBERS, number))
			continue;
		row = add_row(making, &numbers, sizeof(*row));
		if (row)
			*row = (struct trace_place_number_row){ number,
								(uint32_t)places->component_of[number] - 1 };
	}
	add_rows(making, TRACE_PLACE_COMPONENTS, &rows, sizeof(struct trace_place_component_row));
	add_rows(making, TRACE_PLACE_NUMBERS, &numbers, sizeof(struct trace_place_number_row));
}

/* Sites that are new, or have a name by now. */
static void add_place_sites(struct making *making)
{
	const struct places *places = making->places;
	struct rows rows = { 0 };

	for (size_t i = 0; i < places->site_count; i++) {
		const struct place *place = &places->items[places->sites[i].place];
		struct trace_place_site_row *row;

		if (!is_new(making, place_is_final(place) ? TRACE_PLACE_SITES : TRACE_PLACE_COMPONENTS,
			    places->sites[i].site))
			continue;
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_place_site_row){ .site = places->sites[i].site,
							      .offset = place->offset,
							      .component = (uint32_t)place->component,
							      .function = add_text(making, place->function) };
	}
	add_rows(making, TRACE_PLACE_SITES, &rows, sizeof(struct trace_place_site_row));
}

static void add_place_calls(struct making *making)
{
	const struct places *places = making->places;
	struct rows rows = { 0 };

	for (size_t i = 0; i < places->call_count; i++) {
		const struct place_call *call = &places->calls[i];
		const struct place *place = call->place == PLACE_NONE ? NULL : &places->items[call->place];
		struct trace_place_call_row *row;

		if (!is_new_pair(making, TRACE_PLACE_CALLS, call->caller, call->component))
			continue;
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_place_call_row){
				.caller = call->caller,
				.number = call->component,
				.component = place ? (uint32_t)place->component : 0,
				.function = add_text(making, place ? place->function : NULL),
			};
	}
	add_rows(making, TRACE_PLACE_CALLS, &rows, sizeof(struct trace_place_call_row));
}

static void add_names(struct making *making, enum trace_kind kind, const struct number_names *names)
{
	struct rows rows = { 0 };

	for (size_t i = 0; i < names->count; i++) {
		struct trace_name_row *row;

		if (!names->items[i].name || !is_new(making, kind, names->items[i].number))
			continue;
		row = add_row(making, &rows, sizeof(*row));
		if (row)
			*row = (struct trace_name_row){ names->items[i].number,
							add_text(making, names->items[i].name) };
	}
	add_rows(making, kind, &rows, sizeof(struct trace_name_row));
}

static void add_all(struct making *making, bool is_last)
{
	add_text(making, "");
	add_cut(making, is_last);
	add_plain(making);
	add_losses(making);
	add_numbered(making);
	add_stacks(making);
	add_paths(making);
	add_functions(making);
	add_place_components(making);
	add_place_sites(making);
	add_place_calls(making);
	add_names(making, TRACE_DISKS, &making->places->disks);
	add_names(making, TRACE_INTERRUPTS, &making->places->interrupts);
}

int chunk_writer_make(struct chunk_writer *writer, const struct profile *difference,
		      const struct places *places, bool is_last, struct trace_payload *payload)
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
	add_all(&making, is_last);
	making.failed |= fclose(making.out) != 0;
	trace_payload_add(payload, TRACE_STRINGS, strings, 1, making.string_bytes);
	free(strings);
	return making.failed || payload->failed ? -ENOMEM : 0;
}

void chunk_writer_clear(struct chunk_writer *writer)
{
	distinct_clear(&writer->written);
	*writer = (struct chunk_writer){ 0 };
}
