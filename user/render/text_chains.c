// SPDX-License-Identifier: GPL-2.0-only
/* Wait-for chains as text: a tree of what waits were made of, and the longest ones moment by moment. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "model/signals.h"
#include "model/syscalls.h"
#include "render/table.h"

#define NAME_SIZE     (ESCAPE_FACTOR * SCALER_COMM_SIZE + 1)
#define INDENT        2 /* columns for each depth */
#define LEAST_PERCENT 1 /* of a whole wait: what explains less is summed */
#define EXAMPLES      3 /* of longest waits, with so many rows each */
#define EXAMPLE_ROWS  24
#define WHAT_SIZE     192 /* of two escaped names and a few words */

/* "main waits", "timer", "interrupt TASKLET". The name is escaped. */
static void format_what(const struct chain_row *row, const char *name, char text[WHAT_SIZE])
{
	static const char *const roots[CHAIN_KINDS] = {
		[CHAIN_TIMER] = "timer",
		[CHAIN_DEVICE] = "device",
		[CHAIN_NETWORK] = "network",
		[CHAIN_INTERRUPT] = "interrupt",
		[CHAIN_UNSEEN] = "(not seen)",
		[CHAIN_NOTHING] = "(not over)",
		[CHAIN_TRUNCATED] = "... (not recorded)",
	};
	char before[NAME_SIZE];

	escape_text(row->shape->key.before, SCALER_COMM_SIZE, before);

	switch (row->kind) {
	case CHAIN_WAIT:
		snprintf(text, WHAT_SIZE, "%s waits", name);
		break;
	case CHAIN_RUNNING:
		snprintf(text, WHAT_SIZE, "%s runs", name);
		break;
	case CHAIN_CREATED:
		snprintf(text, WHAT_SIZE, "%s, not yet created", name);
		break;
	case CHAIN_RUNNABLE:
		snprintf(text, WHAT_SIZE, "%s waits for a CPU%s%s", name, *before ? ", had by " : "", before);
		break;
	case CHAIN_FLIGHT:
		snprintf(text, WHAT_SIZE, "network, from %s", name);
		break;
	case CHAIN_UNTRACED:
		snprintf(text, WHAT_SIZE, "%s (not traced)", name);
		break;
	default:
		snprintf(text, WHAT_SIZE, "%s", roots[row->kind]);
	}
}

static void what_cell(struct table *table, const struct chain_row *row, const char *name, size_t depth)
{
	const struct wait_shape_key *key = &row->shape->key;
	char text[WHAT_SIZE], signal[SIGNAL_NAME_SIZE] = "", interrupt[NAME_SIZE] = "";

	format_what(row, name, text);
	if (key->signal)
		signal_format(key->signal, signal);
	if (row->interrupt && (row->kind == CHAIN_DEVICE || row->kind == CHAIN_INTERRUPT))
		escape_text(row->interrupt, strnlen(row->interrupt, SCALER_COMM_SIZE), interrupt);
	table_cell(table, "%*s%s%s%s%s%s", (int)(INDENT * depth), "", text, *interrupt ? " " : "", interrupt,
		   *signal ? ", " : "", signal);
}

static void print_timeouts(FILE *out, const struct chain_row *row)
{
	char least[UNITS_SIZE], most[UNITS_SIZE];

	if (!row->least_timeout_ns)
		return;
	fprintf(out, "at most %s", units_format_time(row->most_timeout_ns, most));
	if (row->least_timeout_ns != row->most_timeout_ns)
		fprintf(out, " (or less, down to %s)", units_format_time(row->least_timeout_ns, least));
}

/* Several are not told apart; a variable has one name though it lies in several processes. */
static char *format_thing(const struct report *report, const struct chain_row *row)
{
	const struct wait_shape_key *key = &row->shape->key;
	char *text = NULL;

	if (!row->has_several || row->resource.variable != PLACE_NONE)
		return text_format_resource(report, &row->resource);
	if (asprintf(&text, "%s (several)",
		     key->resource == SCALER_RESOURCE_FILE ? syscall_descriptor_name(key->descriptor) :
							     text_resource_kind(key->resource)) < 0)
		return NULL;
	return text;
}

static void thing_cell(struct table *table, const struct report *report, const struct chain_row *row)
{
	char *thing = format_thing(report, row), *text = NULL;
	bool is_known =
		row->kernel == PLACE_NONE || wait_place_is_kernel(&row->place, row->shape->key.kernel);
	char *kernel = is_known ? NULL : text_format_place(report->places, row->kernel);
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		fputs(thing ?: "", out);
		fprintf(out, "%s%s", thing && *thing && kernel ? ", " : "", kernel ?: "");
		if ((thing && *thing) || kernel)
			fputs(row->least_timeout_ns ? ", " : "", out);
		print_timeouts(out, row);
		table->failed |= fclose(out) != 0;
	}
	table->failed |= !thing || !out;
	table_cell(table, "%s", text ?: "");
	free(thing);
	free(kernel);
	free(text);
}

/* What a wait was in, or what running led to: four cells. */
static void place_cells(struct table *table, const struct report *report, const struct chain_row *row)
{
	const struct wait_shape_key *key = &row->shape->key;
	bool has_place = row->kind == CHAIN_WAIT || row->kind == CHAIN_RUNNING;
	char call[SYSCALL_NAME_SIZE];

	table_cell(table, "%s",
		   has_place && key->is_in_call ? syscall_format(key->call.abi, key->call.number, call) : "");
	if (row->kind == CHAIN_WAIT)
		thing_cell(table, report, row);
	else
		table_cell(table, "%s", "");
	if (has_place) {
		text_wait_path_cells(table, report->places, &row->place);
		return;
	}
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
}

static void figures_cells(struct table *table, const struct chain_row *row)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", units_format_share(row->total_ns, row->whole_ns, text));
	table_cell(table, "%s", units_format_time(row->total_ns, text));
	table_cell(table, "%" PRIu64, row->count);
	table_cell(table, "%s", units_format_time(row->total_ns / row->count, text));
	table_cell(table, "%s", units_format_time(row->longest_ns, text));
}

static void others_cells(struct table *table, size_t count, uint64_t total_ns, const struct chain_row *above)
{
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];

	table_cell(table, "%s", units_format_share(total_ns, above->whole_ns, text));
	table_cell(table, "%s", units_format_time(total_ns, text));
	for (int i = 0; i < 3; i++)
		table_cell(table, "%s", "");
	table_cell(table, "%*s%s", (int)(INDENT * (above->depth + 1)), "", text_others(count, others));
	for (int i = 0; i < 4; i++)
		table_cell(table, "%s", "");
}

/* A row and what explains it; recursive as chains are, which are no deeper than CHAIN_DEPTH_LIMIT. */
static void row_cells(struct table *table, const struct report *report, const struct chain_row *row)
{
	const struct chain_row *end = row + row->below + 1;
	char name[NAME_SIZE];
	uint64_t others_ns = 0;
	size_t others = 0;

	figures_cells(table, row);
	what_cell(table, row, escape_text(row->shape->key.comm, SCALER_COMM_SIZE, name), row->depth);
	place_cells(table, report, row);
	for (const struct chain_row *child = row + 1; child < end; child += child->below + 1) {
		if (child->total_ns * 100 >= child->whole_ns * LEAST_PERCENT) {
			row_cells(table, report, child);
			continue;
		}
		others_ns += child->total_ns;
		others++;
	}
	if (others)
		others_cells(table, others, others_ns, row);
}

static void rest_cells(struct table *table, const struct chain_report *chains, const struct chain_row *first,
		       size_t count)
{
	const struct chain_row *end = chains->rows + chains->row_count;
	uint64_t total_ns = 0, waits = 0;
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];

	for (const struct chain_row *row = first; row < end; row += row->below + 1) {
		total_ns += row->total_ns;
		waits += row->count;
	}
	table_cell(table, "%s", "");
	table_cell(table, "%s", units_format_time(total_ns, text));
	table_cell(table, "%" PRIu64, waits);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	table_cell(table, "%s", text_others(count, others));
	for (int i = 0; i < 4; i++)
		table_cell(table, "%s", "");
}

static int print_tree(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		{ "SHARE", false },   { "TOTAL", false },    { "COUNT", false },      { "MEAN", false },
		{ "MAX", false },     { "CHAIN", true },     { "SYSTEM CALL", true }, { "ON", true },
		{ "FUNCTION", true }, { "CALLED BY", true },
	};
	const struct chain_report *chains = &report->chains;
	const struct chain_row *row = chains->rows;
	size_t shown = text_rows_shown(report, chains->top_count);
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++, row += row->below + 1)
		row_cells(&table, report, row);
	if (shown < chains->top_count)
		rest_cells(&table, chains, row, chains->top_count - shown);
	return table_print(&table, renderer->out);
}

static void segment_cells(struct table *table, const struct report *report,
			  const struct chain_segment *segment)
{
	const struct chain_report *chains = &report->chains;
	const struct scaler_thread *thread = chain_report_thread(chains, segment->task);
	const struct chain_row row = chain_report_segment(chains, segment);
	const char *comm = segment->kind == CHAIN_UNTRACED ? row.shape->key.comm : thread ? thread->comm : "";
	char name[NAME_SIZE], label[NAME_SIZE + 16], text[UNITS_SIZE];

	escape_text(comm, SCALER_COMM_SIZE, name);
	if (thread && segment->kind != CHAIN_UNTRACED)
		snprintf(label, sizeof(label), "%s [%" PRIu32 "]", name, thread->tid);
	else
		snprintf(label, sizeof(label), "%s", name);
	text_clock_cell(table, report, segment->from_ns);
	table_cell(table, "%s", units_format_time(segment->to_ns - segment->from_ns, text));
	what_cell(table, &row, label, segment->depth);
	place_cells(table, report, &row);
}

static int print_example(struct renderer *renderer, const struct report *report,
			 const struct chain_example *example)
{
	static const struct table_column columns[] = {
		{ "FROM (s)", false }, { "LENGTH", false },  { "CHAIN", true },     { "SYSTEM CALL", true },
		{ "ON", true },        { "FUNCTION", true }, { "CALLED BY", true },
	};
	uint64_t least_ns = (example->whole.to_ns - example->whole.from_ns) * LEAST_PERCENT / 100;
	size_t shown = 0, left_out = example->left_out;
	struct table table;

	fputc('\n', renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	segment_cells(&table, report, &example->whole);
	for (size_t i = 0; i < example->count; i++) {
		const struct chain_segment *segment = &example->segments[i];

		if (segment->to_ns - segment->from_ns < least_ns || shown == EXAMPLE_ROWS) {
			left_out++;
			continue;
		}
		segment_cells(&table, report, segment);
		shown++;
	}
	if (table_print(&table, renderer->out))
		return -ENOMEM;
	if (left_out)
		fprintf(renderer->out, "and %zu more, or shorter than %d %%\n", left_out, LEAST_PERCENT);
	return 0;
}

int text_chains(struct renderer *renderer, const struct report *report)
{
	const struct chain_report *chains = &report->chains;
	const struct chain_row *row = chains->rows;
	char total[UNITS_SIZE];
	int err;

	if (!chains->top_count) {
		fputs("\nWait chains: no thread was blocked.\n", renderer->out);
		return 0;
	}
	fprintf(renderer->out,
		"\nWait chains: what the threads' waits were made of, each put down to what ended it and "
		"what "
		"that had been doing\n%" PRIu64 " waits, %s\n\n",
		chains->count, units_format_time(chains->total_ns, total));
	err = print_tree(renderer, report);
	if (!err)
		fputs("\nThe longest of these waits, of those at the top:\n", renderer->out);
	for (size_t i = 0; i < chains->top_count && i < EXAMPLES && !err; i++, row += row->below + 1)
		err = print_example(renderer, report, row->longest);
	return err;
}
