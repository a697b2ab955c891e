// SPDX-License-Identifier: GPL-2.0-only
/* The summary as text: one screen, no line wider than that. */
#include "render/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/summary_words.h"

#define GROUPS_SHOWN    6
#define WAITS_SHOWN     3
#define FUNCTIONS_SHOWN 10

/* A bar is as wide as its title, so that a table that is too wide cuts names and no bar. */
#define BAR_TITLE "#runs !no CPU =waits .idle"
#define BAR_SIZE  (sizeof(BAR_TITLE) - 1)

/* All of it; the least of them for functions, where there is much to say at the foot. */
#define SCREEN_LINES    40
#define FUNCTIONS_LEAST 3

/* What is shown where, and how wide that may be. */
struct screen {
	FILE *out;
	const struct report *report;
	size_t width; /* in characters */
	size_t lines; /* printed so far, and those of the foot */
	int err;
};

/* Prints a line, cut in its middle if it is too wide, and frees the text; NULL is an error. */
static void put_line(struct screen *screen, char *text)
{
	if (!text) {
		screen->err = -ENOMEM;
		return;
	}
	escape_shorten(text, screen->width);
	fprintf(screen->out, "%s\n", text);
	screen->lines++;
	free(text);
}

static char *format(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *format, ...)
{
	char *text = NULL;
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	return length < 0 ? NULL : text;
}

/* Text to the left, cut as it must be, and figures at the right edge. Frees the text. */
static void put_sides(struct screen *screen, char *left, const char *right)
{
	size_t room = screen->width - strlen(right) - 2;

	if (!left) {
		screen->err = -ENOMEM;
		return;
	}
	escape_shorten(left, room);
	fprintf(screen->out, "%-*s  %s\n", (int)room, left, right);
	screen->lines++;
	free(left);
}

/* "3 threads of 1 process, on 0.98 CPUs of 2 on average". */
static void print_head(const struct screen *screen)
{
	const struct report *report = screen->report;
	const struct thread_summary *threads = &report->threads;
	uint64_t recorded_ns = report_recorded_ns(report);

	fprintf(screen->out, "%zu thread%s of %zu process%s, on %.2f CPUs of %u on average\n",
		threads->row_count, threads->row_count == 1 ? "" : "s", threads->process_count,
		threads->process_count == 1 ? "" : "es",
		recorded_ns ? (double)threads->total.time_ns[SCALER_RUNNING] / (double)recorded_ns : 0,
		report->cpus);
}

/* The wait that a group is in for the longest time; NULL: none is known. */
static const struct summary_wait *find_wait(const struct summary *summary, const struct name_group *names)
{
	for (size_t i = 0; i < summary->wait_count; i++) {
		const struct summary_wait *wait = &summary->waits[i];

		if (!strcmp(wait->names.merged, names->merged) && wait->what.kind == CHAIN_WAIT)
			return wait;
	}
	return NULL;
}

/* "lock app:index in pthread_mutex_lock <- find". */
static char *format_wait(const struct report *report, const struct summary_wait *wait)
{
	char *way = summary_way(report->places, &wait->what.place.path), *thing = summary_thing(report, wait);
	char *text = way && thing ? format("waits for %s%s%s", thing, *way ? " in " : "", way) : NULL;

	free(way);
	free(thing);
	return text;
}

static char *format_runs(const struct report *report, const struct summary_group *group)
{
	char *function = summary_function_name(report->places, group->runs.function);
	char *text = function ? format("runs %s", function) : NULL;

	free(function);
	return text;
}

/* What most of a group's time was. */
static char *format_mostly(const struct report *report, const struct summary_group *group)
{
	const struct thread_figures *figures = &group->figures;
	uint64_t running_ns = figures->time_ns[SCALER_RUNNING];
	uint64_t waiting_ns = figures->time_ns[SCALER_BLOCKED] - group->idle_ns;
	uint64_t delayed_ns = figures->time_ns[SCALER_RUNNABLE];
	const struct scaler_call_id *call = &group->longest->top_call;
	const struct summary_wait *wait = find_wait(&report->summary, &group->names);
	char name[SYSCALL_NAME_SIZE];
	bool is_idle = group->idle_ns > figures->life_ns / 2;

	if (!is_idle && running_ns >= waiting_ns && running_ns >= delayed_ns)
		return format_runs(report, group);
	if (!is_idle && delayed_ns > waiting_ns)
		return strdup("waits for a CPU");
	if (!is_idle && wait)
		return format_wait(report, wait);
	if (!group->longest->top_call_blocked_ns)
		return strdup(is_idle ? "idle" : "waits");
	return format("%s in %s", is_idle ? "idle" : "waits", syscall_format(call->abi, call->number, name));
}

static void put_group_cells(struct table *table, const struct report *report,
			    const struct summary_group *group)
{
	const struct thread_figures *figures = &group->figures;
	char *names = summary_names(group), *mostly = format_mostly(report, group);
	char share[UNITS_SIZE], text[UNITS_SIZE];
	const uint64_t times_ns[] = { figures->time_ns[SCALER_RUNNING], figures->time_ns[SCALER_RUNNABLE],
				      figures->time_ns[SCALER_BLOCKED] - group->idle_ns, group->idle_ns };

	table->failed |= !names || !mostly;
	table_cell(table, "%s", names ?: "");
	table_cell(table, "%zu", report->summary.are_processes ? group->processes : group->threads);
	table_cell(table, "%s", units_format_time(figures->life_ns, text));
	for (size_t i = 0; i < 4; i++)
		table_cell(table, "%s", units_format_share(times_ns[i], figures->life_ns, share));
	table_cell(table, "%s", mostly ?: "");
	free(names);
	free(mostly);
}

static void print_groups(struct screen *screen)
{
	static const struct table_column threads[] = {
		TABLE_WORDS("THREADS", 0), TABLE_FIGURES("", 0),       TABLE_FIGURES("TIME", 0),
		TABLE_FIGURES("RUNS", 0),  TABLE_FIGURES("NO CPU", 0), TABLE_FIGURES("WAITS", 0),
		TABLE_FIGURES("IDLE", 0),  TABLE_WORDS("MOSTLY", 0),
	};
	static const struct table_column processes[] = {
		TABLE_WORDS("PROCESSES", 0), TABLE_FIGURES("", 0),       TABLE_FIGURES("TIME", 0),
		TABLE_FIGURES("RUNS", 0),    TABLE_FIGURES("NO CPU", 0), TABLE_FIGURES("WAITS", 0),
		TABLE_FIGURES("IDLE", 0),    TABLE_WORDS("MOSTLY", 0),
	};
	const struct summary *summary = &screen->report->summary;
	size_t shown = summary->group_count > GROUPS_SHOWN + 1 ? GROUPS_SHOWN : summary->group_count;
	struct table table;

	table_begin(&table, summary->are_processes ? processes : threads, ARRAY_SIZE(threads));
	table.width = screen->width;
	for (size_t i = 0; i < shown; i++)
		put_group_cells(&table, screen->report, &summary->groups[i]);
	fputc('\n', screen->out);
	screen->err = screen->err ?: table_print(&table, screen->out);
	if (shown < summary->group_count)
		fprintf(screen->out, "(%zu more)\n", summary->group_count - shown);
	screen->lines += shown + 2 + (shown < summary->group_count);
}

/* "    meanwhile  70.1% saver waits for disk vda, 17.0% saver runs" on as few lines as it takes, two at most. */
static void print_meanwhile(struct screen *screen, const struct summary_wait *wait)
{
	size_t indent = strlen("    meanwhile  "), used = 0;

	for (size_t i = 0; i < wait->part_count; i++) {
		char *part = summary_part(screen->report, &wait->parts[i]), share[UNITS_SIZE], *text;

		units_format_share(wait->parts[i].total_ns, wait->total_ns, share);
		text = part ? format("%s %s", share, part) : NULL;
		free(part);
		if (!text) {
			screen->err = -ENOMEM;
			return;
		}
		escape_shorten(text, screen->width - indent);
		if (used && used + 3 + strlen(text) > screen->width) {
			fputc('\n', screen->out);
			screen->lines++;
			used = 0;
		}
		if (!used)
			used = (size_t)fprintf(screen->out, "%-*s", (int)indent, i ? "" : "    meanwhile");
		else
			used += (size_t)fprintf(screen->out, "   ");
		used += (size_t)fprintf(screen->out, "%s", text);
		free(text);
	}
	if (used) {
		fputc('\n', screen->out);
		screen->lines++;
	}
}

static void print_wait(struct screen *screen, size_t number)
{
	const struct report *report = screen->report;
	const struct summary_wait *wait = &report->summary.waits[number];
	char *thing = summary_thing(report, wait), *waiter = summary_waiter(report, wait);
	char *sentence = summary_sentence(report, wait);
	char total[UNITS_SIZE], longest[UNITS_SIZE], figures[3 * UNITS_SIZE];

	snprintf(figures, sizeof(figures), "%" PRIu64 " wait%s  %s  longest %s", wait->count,
		 wait->count == 1 ? "" : "s", units_format_time(wait->total_ns, total),
		 units_format_time(wait->longest_ns, longest));
	put_sides(screen, thing && waiter ? format("%2zu. %-16s  %s", number + 1, thing, waiter) : NULL,
		  figures);
	if (wait->part_count > 1)
		print_meanwhile(screen, wait);
	put_line(screen, sentence ? format("    => %s", sentence) : NULL);
	free(thing);
	free(waiter);
	free(sentence);
}

static void print_waits(struct screen *screen)
{
	const struct summary *summary = &screen->report->summary;
	size_t shown = summary->wait_count > WAITS_SHOWN + 1 ? WAITS_SHOWN : summary->wait_count;
	char text[UNITS_SIZE];

	if (!(screen->report->options.parts & REPORT_SUMMARY_WAITS))
		return;
	if (!summary->wait_count) {
		fputs("\nNo thread waited for anything that was not its own choice.\n", screen->out);
		return;
	}
	fprintf(screen->out, "\nWaits that were not the threads' own choice: %s in all\n",
		units_format_time(summary->waits_ns, text));
	for (size_t i = 0; i < shown; i++)
		print_wait(screen, i);
	if (shown < summary->wait_count)
		fprintf(screen->out, "(%zu more)\n", summary->wait_count - shown);
	screen->lines += 2 + (shown < summary->wait_count);
}

/* How much of a bar each part of the time is; the longest row is the whole. */
static void format_bar(const uint64_t times_ns[4], uint64_t whole_ns, char bar[BAR_SIZE + 1])
{
	static const char letters[] = "#!=.";
	uint64_t sum_ns = 0;
	size_t length = 0;

	for (size_t i = 0; i < 4; i++) {
		size_t end;

		sum_ns += times_ns[i];
		end = whole_ns ? (size_t)((double)sum_ns / (double)whole_ns * BAR_SIZE + 0.5) : 0;
		while (length < end && length < BAR_SIZE)
			bar[length++] = letters[i];
	}
	bar[length] = '\0';
}

static void put_function_cells(struct table *table, const struct report *report,
			       const struct summary_function *function, uint64_t whole_ns)
{
	const struct time_figures *figures = &function->figures;
	const uint64_t times_ns[] = { figures->time_ns[SCALER_RUNNING], figures->time_ns[SCALER_RUNNABLE],
				      figures->time_ns[SCALER_BLOCKED] - function->idle_ns,
				      function->idle_ns };
	char bar[BAR_SIZE + 1], text[UNITS_SIZE], *caller;

	if (function->entered == PLACE_NONE)
		table_cell(table, "%s", "(not known)");
	else
		text_place_cell(table, report->places, function->entered);
	table_cell(table, "%s%s", text_sampled_mark(&figures->calls_sampled),
		   units_format_time(figures->total_ns - function->idle_ns, text));
	format_bar(times_ns, whole_ns, bar);
	table_cell(table, "%s", bar);
	caller = summary_function_name(report->places, function->caller);
	table->failed |= !caller;
	table_cell(table, "%s", caller ?: "");
	free(caller);
}

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

static void print_functions(struct screen *screen)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("FUNCTION", 0),
		TABLE_FIGURES("TIME", 0),
		TABLE_WORDS(BAR_TITLE, 0),
		TABLE_WORDS("CALLED BY", 0),
	};
	const struct summary *summary = &screen->report->summary;
	size_t used = screen->lines + 2, room = used < SCREEN_LINES ? SCREEN_LINES - used : 0;
	size_t shown = smallest(summary->function_count, FUNCTIONS_SHOWN,
				room > FUNCTIONS_LEAST ? room : FUNCTIONS_LEAST);
	uint64_t whole_ns = 0;
	struct table table;

	if (!shown)
		return;
	for (size_t i = 0; i < shown; i++) {
		uint64_t total_ns = summary->functions[i].figures.total_ns;

		whole_ns = total_ns > whole_ns ? total_ns : whole_ns;
	}
	table_begin(&table, columns, ARRAY_SIZE(columns));
	table.width = screen->width;
	for (size_t i = 0; i < shown; i++)
		put_function_cells(&table, screen->report, &summary->functions[i], whole_ns);
	fputc('\n', screen->out);
	screen->err = screen->err ?: table_print(&table, screen->out);
}

static size_t count_lines(const char *text)
{
	size_t count = 0;

	for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n'))
		count++;
	return count;
}

int text_summary(struct renderer *renderer, const struct report *report)
{
	struct screen screen = { .out = renderer->out,
				 .report = report,
				 .width = report->options.width ?: REPORT_WIDTH_DEFAULT };
	char *foot = text_foot(renderer, report);

	if (!foot)
		return -ENOMEM;
	print_head(&screen);
	screen.lines = 2 + count_lines(foot); /* and what was recorded, before */
	free(foot);
	print_groups(&screen);
	print_waits(&screen);
	print_functions(&screen);
	return screen.err;
}
