// SPDX-License-Identifier: GPL-2.0-only
/* What the foot says about functions that are not or not wholly in the table of library calls. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/units.h"

static const char *plural(uint64_t count, const char *many)
{
	return count == 1 ? "" : many;
}

/* What was probed later than it began to run, and what was not. */
static void print_coverage(FILE *out, const struct library_functions *functions)
{
	const struct library_coverage *coverage = &functions->coverage;
	const struct {
		uint64_t count;
		const char *what, *one, *many, *why;
	} notes[] = {
		{ coverage->ended, "library calls", "process", "processes",
		  " that ended, or the recording did, before probes followed" },
		{ coverage->missed, "calls", "library", "libraries",
		  " that a process had loaded just before it, or the recording, ended" },
		{ coverage->refused, "library calls", "process", "processes",
		  ", because too many others were probed" },
		{ coverage->no_room, "calls", "function", "functions",
		  " of code that was loaded later, because too many others were probed" },
	};
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
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		if (notes[i].count)
			fprintf(out, "not counted: %s of %" PRIu64 " %s%s\n", notes[i].what, notes[i].count,
				notes[i].count == 1 ? notes[i].one : notes[i].many, notes[i].why);
	}
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
