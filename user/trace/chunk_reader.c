// SPDX-License-Identifier: GPL-2.0-only
/* What a chunk tells, row by row, and the names that it defines. */
#include "trace/chunk_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/row_order.h"
#include "trace/chunk_check.h"
#include "trace/chunk_places.h"
#include "trace/rows.h"

int chunk_take(struct taking *taking, enum trace_kind kind, size_t row_bytes, void **rows, size_t *count)
{
	return trace_reading_take(taking->reading, kind, row_bytes, rows, count, &taking->offset);
}

int chunk_take_each(struct taking *taking, enum trace_kind kind, size_t row_bytes, chunk_use *use)
{
	size_t count;
	void *rows;
	int err = chunk_take(taking, kind, row_bytes, &rows, &count);

	for (size_t i = 0; i < count && !err; i++)
		err = use(taking, (const char *)rows + i * row_bytes);
	free(rows);
	return err;
}

static int take_texts(struct taking *taking)
{
	struct chunk_reader *reader = taking->reader;
	char **texts =
		array_reserve(reader->texts, reader->text_count, &reader->text_capacity, sizeof(*texts));
	void *rows;
	int err;

	if (!texts)
		return -ENOMEM;
	reader->texts = texts;
	err = chunk_take(taking, TRACE_STRINGS, 1, &rows, &taking->text_bytes);
	if (err)
		return err;
	taking->texts = texts[reader->text_count++] = rows;
	return 0;
}

static int take_cut(struct taking *taking)
{
	struct profile *profile = taking->profile;
	struct trace_cut_row *cut;
	size_t count;
	void *rows;
	int err = chunk_take(taking, TRACE_CUT_ROW, sizeof(*cut), &rows, &count);

	if (err)
		return err;
	cut = rows;
	taking->reader->is_last = cut->is_last;
	profile->window = cut->window;
	profile->paused_ns = cut->paused_ns;
	profile->wall_clock_ns = cut->wall_clock_ns;
	profile->recording_start_ns = cut->recording_start_ns;
	profile->blocking.dropped = cut->dropped_intervals;
	profile->cost = (struct tracer_cost){ .cpu_ns = cut->cpu_ns,
					      .resident_bytes = cut->resident_bytes,
					      .kernel_bytes = cut->kernel_bytes,
					      .has_probes = cut->has_probes,
					      .spending = cut->spending };
	profile->sampling = cut->sampling;
	profile->library_sampling = cut->library_sampling;
	/* There is one in every chunk; without one nothing tells what the rest is of. */
	err = count == 1 && cut->window.start_ns >= taking->reader->end_ns &&
			      cut->window.start_ns <= cut->window.end_ns ?
		      0 :
		      -EBADMSG;
	if (!err)
		taking->reader->end_ns = cut->window.end_ns;
	free(rows);
	return err;
}

/* Rows that are as in memory. */
#define TAKE(taking, kind, array, count, capacity)                                                           \
	take_plain(taking, kind, sizeof(*(array)), (void **)&(array), &(count), &(capacity))

static int take_plain(struct taking *taking, enum trace_kind kind, size_t row_bytes, void **array,
		      size_t *count, size_t *capacity)
{
	int err = chunk_take(taking, kind, row_bytes, array, count);

	*capacity = err ? 0 : *count + 1;
	return err;
}

static int use_sample(struct taking *taking, const void *row)
{
	struct sample_row sample = *(const struct sample_row *)row;

	chunk_check_sample(taking->reader, &sample.sample);
	return samples_add(&taking->profile->samples, &sample.sample, sample.count);
}

static int use_loss(struct taking *taking, const void *row)
{
	const struct trace_loss_row *loss = row;

	if (loss->cause == TRACE_FILTERED)
		taking->profile->losses[SCALER_FILTERED_BLOCKING] = loss->count;
	else if (loss->cause < SCALER_LOSS_COUNT)
		taking->profile->losses[loss->cause] = loss->count;
	return 0;
}

static int take_figures(struct taking *taking)
{
	struct profile *profile = taking->profile;
	struct blocking_intervals *blocking = &profile->blocking;

	return TAKE(taking, TRACE_THREADS, profile->threads, profile->thread_count, profile->thread_capacity) ?:
		       TAKE(taking, TRACE_GROUPS, profile->groups, profile->group_count, profile->group_capacity) ?:
		       TAKE(taking, TRACE_OPEN_CALLS, profile->open_calls, profile->open_call_count, profile->open_call_capacity) ?:
		       TAKE(taking, TRACE_CALLS, profile->calls, profile->call_count, profile->call_capacity) ?:
		       TAKE(taking, TRACE_LIBRARY_CALLS, profile->library_calls, profile->library_call_count, profile->library_call_capacity) ?:
		       TAKE(taking, TRACE_ERRORS, profile->errors, profile->error_count, profile->error_capacity) ?:
		       TAKE(taking, TRACE_INTERVALS, blocking->items, blocking->count, blocking->capacity) ?:
		       chunk_take_each(taking, TRACE_SAMPLES, sizeof(struct sample_row), use_sample)       ?:
		       TAKE(taking, TRACE_REQUESTS, blocking->requests, blocking->request_count, blocking->request_capacity) ?:
		       chunk_take_each(taking, TRACE_LOSSES, sizeof(struct trace_loss_row), use_loss);
}

static int use_component(struct taking *taking, const void *row)
{
	struct profile_component component = *(const struct profile_component *)row;
	struct scaler_path *path = &component.description.path;

	if (path->size > sizeof(path->names))
		path->size = 0;
	return component.number < SCALER_COMPONENT_LIMIT ?
		       profile_add_component(&taking->reader->names, component.number,
					     &component.description) :
		       0;
}

/* One that is made in another was numbered after it, so that no chain of them goes round. */
static int use_context(struct taking *taking, const void *row)
{
	const struct profile_context *context = row;
	uint32_t function = context->key.function;

	return context->key.parent < context->context.number && function &&
			       function <= taking->reader->functions.count ?
		       profile_add_context(&taking->reader->names, context) :
		       0;
}

static int use_socket(struct taking *taking, const void *row)
{
	return sockets_add(&taking->reader->names.sockets, row);
}

static int use_path(struct taking *taking, const void *row)
{
	const struct trace_path_row *path = row;

	return file_paths_add_text(&taking->reader->names.paths, path->number,
				   taking_text(taking, path->text) ?: "", path->is_deleted);
}

static int take_stacks(struct taking *taking)
{
	struct stacks *stacks = &taking->reader->names.stacks;
	const struct trace_stack_row *items;
	size_t count, site_count, first = 0;
	void *rows, *sites;
	int err = chunk_take(taking, TRACE_STACKS, sizeof(*items), &rows, &count);

	if (err)
		return err;
	items = rows;
	err = chunk_take(taking, TRACE_STACK_SITES, sizeof(uint64_t), &sites, &site_count);
	for (size_t i = 0; i < count && !err; i++) {
		const struct trace_stack_row *stack = &items[i];

		if (stack->count > SCALER_STACK_FRAMES || stack->count > site_count - first)
			err = -EBADMSG;
		else if (!stacks_find(stacks, stack->number))
			err = stacks_add(stacks, stack->number,
					 stack->end < SCALER_STACK_ENDS ? (enum scaler_stack_end)stack->end :
									  SCALER_STACK_GOES_ON,
					 (const __u64 *)sites + first, stack->count, stack->unsure);
		first += stack->count;
	}
	free(rows);
	free(sites);
	return err;
}

/* The functions come first, because contexts are of them. */
static int take_names(struct taking *taking)
{
	return chunk_functions_take(taking) ?:
		       chunk_take_each(taking, TRACE_COMPONENTS, sizeof(struct profile_component), use_component) ?:
		       chunk_take_each(taking, TRACE_CONTEXTS, sizeof(struct profile_context), use_context) ?:
		       take_stacks(taking)                                                                  ?:
		       chunk_take_each(taking, TRACE_SOCKETS, sizeof(struct socket_ends), use_socket)       ?:
		       chunk_take_each(taking, TRACE_PATHS, sizeof(struct trace_path_row), use_path)        ?:
		       chunk_places_take(taking);
}

int chunk_reader_define(struct chunk_reader *reader, const struct trace_reading *reading, uint64_t *offset)
{
	struct stacks *stacks = &reader->names.stacks;
	size_t known = stacks->site_count;
	struct taking taking = { .reader = reader, .reading = reading };
	int err = take_texts(&taking) ?: take_names(&taking);

	*offset = taking.offset;
	/* Those of a payload that is none, too. */
	chunk_check_stacks(reader, stacks, known);
	return err;
}

static int use_mark(struct taking *taking, const void *row)
{
	const struct trace_mark_row *mark = row;
	const char *name = taking_text(taking, mark->text);

	return name && mark->kind < MARK_KINDS ?
		       marks_add(taking->marks, (enum mark_kind)mark->kind, mark->time_ns, name) :
		       0;
}

/* Its texts are needed no longer than it takes. */
static int take_marks(struct taking *taking)
{
	void *texts;
	int err = chunk_take(taking, TRACE_STRINGS, 1, &texts, &taking->text_bytes);

	taking->texts = texts;
	err = err ?: chunk_take_each(taking, TRACE_MARKS, sizeof(struct trace_mark_row), use_mark);
	free(texts);
	return err;
}

int chunk_reader_take(struct chunk_reader *reader, const struct trace_reading *reading, struct chunk *chunk,
		      uint64_t *offset)
{
	struct profile *difference = &chunk->difference;
	struct taking taking = {
		.reader = reader, .reading = reading, .profile = difference, .marks = &chunk->marks
	};
	int err = take_cut(&taking)             ?:
			  take_marks(&taking)   ?:
			  take_figures(&taking) ?:
						  profile_copy_names(difference, &reader->names);

	*offset = taking.offset;
	if (err)
		return err;
	chunk_check_figures(reader, difference);
	row_order_sort(difference);
	row_order_sort_threads(difference);
	difference->functions = reader->has_functions ? &reader->functions : NULL;
	return 0;
}

void chunk_clear(struct chunk *chunk)
{
	profile_clear(&chunk->difference);
	marks_clear(&chunk->marks);
}

void chunk_reader_clear(struct chunk_reader *reader)
{
	profile_clear(&reader->names);
	distinct_clear(&reader->sites);
	distinct_clear(&reader->calls);
	for (size_t i = 0; i < reader->text_count; i++)
		free(reader->texts[i]);
	free(reader->texts);
	places_clear(&reader->places);
	free(reader->components);
	free(reader->functions.items);
	free(reader->functions.refused);
	free(reader->aliases);
	*reader = (struct chunk_reader){ 0 };
}
