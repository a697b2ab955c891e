// SPDX-License-Identifier: GPL-2.0-only
/* The table of library calls, as text, and what is to be said about functions that are not or not wholly in it. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"

#define CALLERS_SHOWN 3

void text_library_function_cell(struct table *table, const struct library_function *function)
{
	char *name = text_escape_name(function->name), *version = text_escape_name(function->version ?: "");

	table->failed |= !name || !version;
	table_cell(table, "%s%s%s", name ?: "", function->version ? "@" : "", version ?: "");
	free(name);
	free(version);
}

/* "server 80.0%, libssl.so.3 19.9%, ...". */
static void callers_cell(struct table *table, const struct places *places, const struct library_row *row)
{
	char *list = NULL, share[UNITS_SIZE] = "";
	size_t size;
	FILE *out = open_memstream(&list, &size);

	table->failed |= !out;
	for (size_t i = 0; i < row->caller_count && i < CALLERS_SHOWN && out; i++) {
		char *name = text_escape_name(text_component_name(places, row->callers[i].component));

		if (row->caller_count > 1)
			units_format_share(row->callers[i].figures.calls, row->figures.calls, share);
		fprintf(out, "%s%s%s%s", i ? ", " : "", name ?: "", *share ? " " : "", share);
		table->failed |= !name;
		free(name);
	}
	if (row->caller_count > CALLERS_SHOWN && out)
		fputs(", ...", out);
	if (out)
		table->failed |= fclose(out) != 0;
	table_cell(table, "%s", list ?: "");
	free(list);
}

/* A sum of times that includes calls cut short is a lower bound. */
static void time_cell(struct table *table, const struct library_figures *figures, uint64_t time_ns)
{
	char text[UNITS_SIZE];

	if (figures->calls == figures->untimed)
		table_cell(table, "%s", "-");
	else
		table_cell(table, "%s%s", figures->partial ? ">=" : text_sampled_mark(&figures->sampled),
			   units_format_time(time_ns, text));
}

void text_library_figures_cells(struct table *table, const struct library_figures *figures, bool is_timed)
{
	const char *sampled = text_sampled_mark(&figures->sampled);

	table_cell(table, "%s%" PRIu64, sampled, figures->calls);
	if (!is_timed)
		return;
	table_cell(table, "%s%" PRIu64, sampled, figures->calls - figures->untimed);
	time_cell(table, figures, figures->total.total_ns);
	time_cell(table, figures, figures->self.total_ns);
	time_cell(table, figures, figures->total.blocked_ns);
}

/* Of one call. */
static void call_time_cell(struct table *table, const struct library_row *row, uint64_t time_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", row->max_start_ns ? units_format_time(time_ns, text) : "-");
}

/*
 * From when on and until when, since the recording began; empty: all the time. "~ after" the time from which on it was so
 * only in windows, "~ until" that up to which it was.
 */
static void counted_cell(struct table *table, const struct report *report, const struct library_row *row)
{
	const struct library_function *function = row->function;
	bool is_sampled = row->counting == LIBRARY_SAMPLED;
	uint64_t start_ns = report->recording_start_ns;
	uint64_t from_ns = function->since_ns > start_ns ? function->since_ns - start_ns : 0;
	uint64_t until_ns = function->unhooked_ns > start_ns ? function->unhooked_ns - start_ns : 0;
	char from[UNITS_SIZE], until[UNITS_SIZE];

	units_format_time(from_ns, from);
	units_format_time(until_ns, until);
	if (is_sampled && !function->unhooked_ns)
		table_cell(table, "~ until %s", from);
	else if (is_sampled && (until_ns <= from_ns || !function->since_ns))
		table_cell(table, "~%s%s", until_ns ? " after " : "", until_ns ? until : "");
	else if (function->since_ns && function->unhooked_ns)
		table_cell(table, "%s to %s%s", from, until, is_sampled ? ", then ~" : "");
	else if (function->since_ns || function->unhooked_ns)
		table_cell(table, function->since_ns ? "from %s" : "until %s",
			   function->since_ns ? from : until);
	else
		table_cell(table, "%s", "");
}

static void row_cells(struct table *table, const struct report *report, size_t i)
{
	const struct library_row *row = &report->library.rows[i];
	bool is_timed = report->library.is_timed;

	text_escaped_cell(table, row->function->library);
	text_library_function_cell(table, row->function);
	counted_cell(table, report, row);
	text_library_figures_cells(table, &row->figures, is_timed);
	if (is_timed) {
		call_time_cell(table, row, row->p50_ns);
		call_time_cell(table, row, row->p99_ns);
		call_time_cell(table, row, row->max_ns);
	}
	callers_cell(table, report->places, row);
}

/* What the rows from one on come to. Their calls may be within one another, so that the sum is of self times. */
static void sum_cells(struct table *table, const struct report *report, size_t first)
{
	const struct library_summary *library = &report->library;
	struct library_figures sum = { 0 };

	for (size_t i = first; i < library->row_count; i++)
		library_figures_add_sum(&sum, &library->rows[i].figures);
	sum.total = sum.self;
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	text_library_figures_cells(table, first ? &sum : &library->total, library->is_timed);
}

static int library_calls(struct renderer *renderer, const struct report *report)
{
	static const struct table_column timed_columns[] = {
		TABLE_WORDS("LIBRARY", 0), TABLE_WORDS("FUNCTION", 0),  TABLE_FIGURES("COUNTED", 4),
		TABLE_FIGURES("CALLS", 0), TABLE_FIGURES("TIMED", 3),   TABLE_FIGURES("TOTAL", 0),
		TABLE_FIGURES("SELF", 1),  TABLE_FIGURES("BLOCKED", 1), TABLE_FIGURES("P50", 3),
		TABLE_FIGURES("P99", 2),   TABLE_FIGURES("MAX", 1),     TABLE_WORDS("CALLED BY", 2),
	};
	static const struct table_column columns[] = {
		TABLE_WORDS("LIBRARY", 0), TABLE_WORDS("FUNCTION", 0),  TABLE_FIGURES("COUNTED", 4),
		TABLE_FIGURES("CALLS", 0), TABLE_WORDS("CALLED BY", 2),
	};
	const struct library_summary *library = &report->library;
	const struct text_table table = {
		library->is_timed ? timed_columns : columns,
		library->is_timed ? ARRAY_SIZE(timed_columns) : ARRAY_SIZE(columns),
		library->row_count,
		row_cells,
		sum_cells,
	};

	fprintf(renderer->out,
		"\nLibrary calls: how often%s one component called the functions of another, by probes\n\n",
		library->is_timed ? ", and for how long," : "");
	return text_table_of_rows(renderer, report, &table);
}

int text_library(struct renderer *renderer, const struct report *report)
{
	int err = library_calls(renderer, report);

	if (!err && report->library.is_timed && report->library_syscalls.total.calls)
		err = text_library_syscalls(renderer, report);
	return err;
}

static const char *plural(uint64_t count, const char *many)
{
	return count == 1 ? "" : many;
}

/* What was probed later than it began to run, and what was not. */
static void print_coverage(FILE *out, const struct library_functions *functions)
{
	const struct library_coverage *coverage = &functions->coverage;
	char late[UNITS_SIZE];
	size_t later = 0;

	for (size_t i = 0; i < functions->count; i++)
		later += functions->items[i].since_ns != 0;
	if (later || coverage->followed)
		fprintf(out,
			"library calls were followed into %" PRIu64 " process%s that began later and %zu "
			"function%s of code that was loaded later: %s after that at most\n",
			coverage->followed, plural(coverage->followed, "es"), later, plural(later, "s"),
			units_format_time(coverage->latest_ns, late));
	if (coverage->ended)
		fprintf(out,
			"not counted: library calls of %" PRIu64
			" process%s that ended, or the recording did, before probes followed\n",
			coverage->ended, plural(coverage->ended, "es"));
	if (coverage->missed)
		fprintf(out,
			"not counted: calls of %" PRIu64
			" librar%s that a process had loaded just before it, or the recording, ended\n",
			coverage->missed, coverage->missed == 1 ? "y" : "ies");
	if (coverage->refused)
		fprintf(out,
			"not counted: library calls of %" PRIu64
			" process%s, because too many others were probed\n",
			coverage->refused, plural(coverage->refused, "es"));
	if (coverage->no_room)
		fprintf(out,
			"not counted: calls of %" PRIu64
			" function%s of code that was loaded later, because too many "
			"others were probed\n",
			coverage->no_room, plural(coverage->no_room, "s"));
}

static void print_refused(FILE *out, const struct library_functions *functions)
{
	for (size_t i = 0; i < functions->refused_count; i++) {
		const struct library_refused *refused = &functions->refused[i];
		char *program = text_escape_name(refused->program);
		char *library = text_escape_name(refused->library ?: "");

		fprintf(out, "no probes%s%s in %" PRIu64 " process%s of %s: %s\n",
			refused->library ? " on " : "", library ?: "", refused->processes,
			plural(refused->processes, "es"), program ?: "", refused->reason);
		free(program);
		free(library);
	}
}

/* Which functions are not in it all the time. */
void text_library_coverage(struct renderer *renderer, const struct report *report)
{
	const struct library_functions *functions = report->library.functions;
	uint64_t windows = report->library_sampled.sampling.windows;
	size_t unhooked = 0, sampled = 0;

	for (size_t i = 0; functions && i < functions->count; i++) {
		bool is_sampled = windows && functions->items[i].is_sampled;

		sampled += is_sampled;
		unhooked += functions->items[i].unhooked_ns && !functions->items[i].omitted && !is_sampled;
	}
	if (sampled)
		fprintf(renderer->out,
			"~: calls of %zu function%s are estimated from %" PRIu64
			" window%s, because to count every one would cost more than --overhead allows; "
			"--format json has the 95%% ranges\n",
			sampled, plural(sampled, "s"), windows, plural(windows, "s"));
	if (unhooked)
		fprintf(renderer->out,
			"not counted to the end: calls of %zu function%s whose probes cost more than "
			"--overhead allows\n",
			unhooked, plural(unhooked, "s"));
	if (!functions)
		return;
	print_refused(renderer->out, functions);
	print_coverage(renderer->out, functions);
}

/* How many functions before this one have the same reason. */
static size_t count_before(const struct library_functions *functions, size_t index, library_reason reason_of)
{
	const char *reason = reason_of(&functions->items[index]);
	size_t count = 0;

	for (size_t i = 0; i < index; i++) {
		const char *other = reason_of(&functions->items[i]);

		count += other && !strcmp(other, reason);
	}
	return count;
}

#define NAMES_SHOWN 3

/* One line for each reason, with the first few names. */
int text_library_reasons(struct renderer *renderer, const struct library_functions *functions,
			 const char *what, library_reason reason_of)
{
	for (size_t i = 0; functions && i < functions->count; i++) {
		const char *reason = reason_of(&functions->items[i]);
		size_t count = 0;

		if (!reason || count_before(functions, i, reason_of))
			continue;
		fputs(what, renderer->out);
		for (size_t j = i; j < functions->count; j++) {
			const char *other = reason_of(&functions->items[j]);
			char *name;

			if (!other || strcmp(other, reason) || ++count > NAMES_SHOWN)
				continue;
			name = text_escape_name(functions->items[j].symbol);
			if (!name)
				return -ENOMEM;
			fprintf(renderer->out, "%s %s", count > 1 ? "," : "", name);
			free(name);
		}
		if (count > NAMES_SHOWN)
			fprintf(renderer->out, " and %zu other functions", count - NAMES_SHOWN);
		fprintf(renderer->out, ": %s\n", reason);
	}
	return 0;
}
