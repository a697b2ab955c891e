// SPDX-License-Identifier: GPL-2.0-only
/* The cells that say in text what a part of a chain was. */
#include "render/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/units.h"
#include "model/signals.h"
#include "model/syscalls.h"

#define NAME_SIZE (ESCAPE_FACTOR * SCALER_COMM_SIZE + 1)
#define WHAT_SIZE 192 /* of two escaped names and a few words */

/* A cell that is written in parts. */
struct cell {
	FILE *out;
	char *text;
	size_t size;
};

/* Without memory it is the table that has failed. */
static bool cell_open(struct cell *cell, struct table *table)
{
	*cell = (struct cell){ 0 };
	cell->out = open_memstream(&cell->text, &cell->size);
	table->failed |= !cell->out;
	return cell->out;
}

static void cell_close(struct cell *cell, struct table *table)
{
	table->failed |= fclose(cell->out) != 0;
	table_cell(table, "%s", cell->text ?: "");
	free(cell->text);
}

/* "main waits", "timer", "interrupt TASKLET". The name is escaped. */
static void format_what(const struct chain_what *what, const char *name, char text[WHAT_SIZE])
{
	static const char *const roots[CHAIN_KINDS] = {
		[CHAIN_TIMER] = "timer",
		[CHAIN_DEVICE] = "device",
		[CHAIN_NETWORK] = "network",
		[CHAIN_INTERRUPT] = "interrupt",
		[CHAIN_UNSEEN] = "(not seen)",
		[CHAIN_NOTHING] = "(not over)",
		[CHAIN_STOPPED] = "stopped by a signal",
		[CHAIN_TRACED] = "stopped by a debugger",
		[CHAIN_FROZEN] = "frozen cgroup",
		[CHAIN_TRUNCATED] = "... (not recorded)",
	};
	char holder[NAME_SIZE];

	escape_text(what->shape->key.cpu_holder, SCALER_COMM_SIZE, holder);

	switch (what->kind) {
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
		snprintf(text, WHAT_SIZE, "%s waits for a CPU%s%s", name, *holder ? ", running: " : "",
			 holder);
		break;
	case CHAIN_QUOTA:
		snprintf(text, WHAT_SIZE, "%s kept by its CPU quota", name);
		break;
	case CHAIN_FLIGHT:
		snprintf(text, WHAT_SIZE, "network, from %s", name);
		break;
	case CHAIN_WORK:
		snprintf(text, WHAT_SIZE, "workqueue, from %s", name);
		break;
	case CHAIN_UNTRACED:
		if (what->shape->process)
			snprintf(text, WHAT_SIZE, "%s (not traced: -p %" PRIu32 ")", name,
				 what->shape->process);
		else
			snprintf(text, WHAT_SIZE, "%s (not traced)", name);
		break;
	default:
		snprintf(text, WHAT_SIZE, "%s", roots[what->kind]);
	}
}

/* "worker [1234]" of a thread that is meant by itself. */
static void format_name(const struct chain_what *what, const struct scaler_thread *thread,
			char text[NAME_SIZE + 16])
{
	bool is_own = thread && chain_kind_is_own(what->kind);
	char name[NAME_SIZE];

	escape_text(is_own ? thread->comm : what->shape->key.comm, SCALER_COMM_SIZE, name);
	if (is_own)
		snprintf(text, NAME_SIZE + 16, "%s [%" PRIu32 "]", name, thread->tid);
	else
		snprintf(text, NAME_SIZE + 16, "%s", name);
}

/* " compress2 (94.1%)": what the threads of that name run the most. */
static void print_runs(FILE *out, const struct report *report, const struct chain_what *what)
{
	const struct runs runs = runs_table_find(&report->runs, what->shape->key.comm);
	char share[UNITS_SIZE], *function;

	if (what->kind != CHAIN_RUNNING || runs.function == PLACE_NONE)
		return;
	function = text_format_place(report->places, runs.function);
	fprintf(out, " %s (%s)", function ?: "",
		units_format_share(runs.function_ns, runs.running_ns, share));
	free(function);
}

void text_chain_what_cell(struct table *table, const struct report *report, const struct chain_what *what,
			  const struct scaler_thread *thread, size_t depth)
{
	const struct wait_shape_key *key = &what->shape->key;
	char name[NAME_SIZE + 16], text[WHAT_SIZE], signal[SIGNAL_NAME_SIZE] = "", cause[NAME_SIZE] = "";
	const char *caused_by = what->disk ?: what->interrupt;
	struct cell cell;

	if (!cell_open(&cell, table))
		return;
	format_name(what, thread, name);
	format_what(what, name, text);
	if (key->signal)
		signal_format(key->signal, signal);
	if (caused_by && (what->kind == CHAIN_DEVICE || what->kind == CHAIN_INTERRUPT))
		escape_text(caused_by, strnlen(caused_by, SCALER_COMM_SIZE), cause);
	fprintf(cell.out, "%*s%s", (int)(TEXT_CHAIN_INDENT * depth), "", text);
	print_runs(cell.out, report, what);
	fprintf(cell.out, "%s%s%s%s", *cause ? " " : "", cause, *signal ? ", " : "", signal);
	cell_close(&cell, table);
}

static void print_timeouts(FILE *out, const struct chain_what *what)
{
	char least[UNITS_SIZE], most[UNITS_SIZE];

	if (!what->least_timeout_ns)
		return;
	fprintf(out, "at most %s", units_format_time(what->most_timeout_ns, most));
	if (what->least_timeout_ns != what->most_timeout_ns)
		fprintf(out, " (or less, down to %s)", units_format_time(what->least_timeout_ns, least));
}

/* Several are not told apart; a variable has one name though it lies in several processes. */
static char *format_thing(const struct report *report, const struct chain_what *what)
{
	const struct wait_shape_key *key = &what->shape->key;
	static const char *const sides[] = {
		[SOCKET_SIDE_UNKNOWN] = "",
		[SOCKET_SIDE_SERVER] = ", server's side",
		[SOCKET_SIDE_CLIENT] = ", client's side",
	};
	char *text = NULL;

	if (!what->has_several || what->resource.variable != PLACE_NONE)
		return text_format_resource(report, &what->resource);
	if (asprintf(&text, "%s (several%s)",
		     key->resource == SCALER_RESOURCE_FILE ? syscall_descriptor_name(key->descriptor) :
							     text_resource_kind(key->resource),
		     sides[key->side]) < 0)
		return NULL;
	return text;
}

static void thing_cell(struct table *table, const struct report *report, const struct chain_what *what)
{
	char *thing = format_thing(report, what);
	bool is_known =
		what->kernel == PLACE_NONE || wait_place_is_kernel(&what->place, what->shape->key.kernel);
	char *kernel = is_known ? NULL : text_format_place(report->places, what->kernel);
	struct cell cell;

	if (cell_open(&cell, table)) {
		fputs(thing ?: "", cell.out);
		fprintf(cell.out, "%s%s", thing && *thing && kernel ? ", " : "", kernel ?: "");
		if ((thing && *thing) || kernel)
			fputs(what->least_timeout_ns ? ", " : "", cell.out);
		print_timeouts(cell.out, what);
		cell_close(&cell, table);
	}
	table->failed |= !thing;
	free(thing);
	free(kernel);
}

void text_chain_place_cells(struct table *table, const struct report *report, const struct chain_what *what)
{
	const struct wait_shape_key *key = &what->shape->key;
	bool has_place = chain_what_has_place(what);
	char call[SYSCALL_NAME_SIZE];

	if (has_place && key->is_in_call)
		table_cell(table, "%s%s", what->kind == CHAIN_RUNNING ? "until " : "",
			   syscall_format(key->call.abi, key->call.number, call));
	else
		table_cell(table, "%s", "");
	if (what->kind == CHAIN_WAIT)
		thing_cell(table, report, what);
	else
		table_cell(table, "%s", "");
	if (has_place) {
		text_wait_path_cell(table, report->places, &what->place);
		text_caller_cell(table, report->places, &what->place.path);
		return;
	}
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
}

void text_chain_figures_cells(struct table *table, uint64_t total_ns, uint64_t whole_ns, uint64_t count,
			      uint64_t longest_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", units_format_share(total_ns, whole_ns, text));
	table_cell(table, "%s", units_format_time(total_ns, text));
	table_cell(table, "%" PRIu64, count);
	table_cell(table, "%s", units_format_time(total_ns / count, text));
	table_cell(table, "%s", units_format_time(longest_ns, text));
}
