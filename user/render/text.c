// SPDX-License-Identifier: GPL-2.0-only
/* The reports as text for people: their head and foot. */
#include "render/text.h"
#include "render/text_wrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/losses.h"

size_t text_rows_shown(const struct report *report, size_t rows)
{
	return rows > report->options.top + 1 ? report->options.top : rows;
}

const char *text_others(size_t count, char buffer[TEXT_OTHERS_SIZE])
{
	snprintf(buffer, TEXT_OTHERS_SIZE, "(%zu other%s)", count, count == 1 ? "" : "s");
	return buffer;
}

char *text_escape_name(const char *name)
{
	char *escaped = malloc(ESCAPE_FACTOR * strlen(name) + 1);

	if (escaped)
		escape_shorten((char *)escape_text(name, strlen(name), escaped), TEXT_NAME_WIDTH);
	return escaped;
}

size_t text_width(const struct report *report)
{
	return report->options.width ?: REPORT_WIDTH_DEFAULT;
}

int text_table_print(struct renderer *renderer, const struct report *report, struct table *table)
{
	int err;

	table->width = text_width(report);
	err = table_print(table, renderer->out);
	renderer->hidden_columns += table->hidden;
	return err;
}

static const char *next_sum(const struct report_table *description, const struct report *report, size_t index,
			    void *row)
{
	if (description->total)
		return description->total(report, index, row);
	if (index)
		return NULL;
	description->rest(report, 0, row);
	return "total";
}

static void add_sums(struct table *table, const struct report *report, const struct report_table *description,
		     size_t shown, size_t count, void *row)
{
	char others[TEXT_OTHERS_SIZE];
	const char *name;

	if (shown < count) {
		description->rest(report, shown, row);
		row_type_cells(&description->row_type, table, report, row,
			       text_others(count - shown, others));
	}
	for (size_t i = 0; (name = next_sum(description, report, i, row)); i++)
		row_type_cells(&description->row_type, table, report, row, name);
}

int text_report_table(struct renderer *renderer, const struct report *report,
		      const struct report_table *description)
{
	struct table_column titles[TABLE_COLUMNS_MAX];
	size_t count, shown;
	const char *rows = row_list_get(&description->rows, report, &count);
	void *sum = calloc(1, description->row_type.bytes);
	struct table table;

	table_begin(&table, titles, row_type_titles(&description->row_type, titles));
	shown = text_rows_shown(report, count);
	for (size_t i = 0; i < shown; i++)
		row_type_cells(&description->row_type, &table, report, rows + i * description->row_type.bytes,
			       NULL);
	if (sum)
		add_sums(&table, report, description, shown, count, sum);
	table.failed |= !sum;
	free(sum);
	return text_table_print(renderer, report, &table);
}

void text_escaped_cell(struct table *table, const char *name)
{
	char *escaped = text_escape_name(name);

	table->failed |= !escaped;
	table_cell(table, "%s", escaped ?: "");
	free(escaped);
}

const char *text_component_name(const struct places *places, size_t component)
{
	return component == PLACE_NONE ? "[unknown]" : places->components[component].name;
}

char *text_format_place(const struct places *places, size_t index)
{
	const struct place *place = &places->items[index];
	char *component = text_escape_name(places->components[place->component].name);
	char *function = place->function ? text_escape_name(place->function) : NULL;
	char *text = NULL;
	int length = -1;

	if (component && function)
		length = asprintf(&text, "%s:%s", component, function);
	else if (component && !place->function && place->offset)
		length = asprintf(&text, "%s+0x%" PRIx64, component, place->offset);
	else if (component && !place->function)
		length = asprintf(&text, "%s", component);
	free(component);
	free(function);
	return length < 0 ? NULL : text;
}

void text_place_cell(struct table *table, const struct places *places, size_t index)
{
	char *text = text_format_place(places, index);

	table->failed |= !text;
	table_cell(table, "%s", text ?: "");
	free(text);
}

void text_interval_cell(struct table *table, const struct report *report, const struct time_figures *figures)
{
	struct estimate sampled = outside_estimate(&report->outside, figures);
	uint64_t exact_ns = figures->time_ns[SCALER_RUNNING] - figures->sampled_ns;
	char low[UNITS_SIZE], high[UNITS_SIZE];

	if (figures->samples)
		table_cell(table, "%s to %s", units_format_time(exact_ns + sampled.low_ns, low),
			   units_format_time(exact_ns + sampled.high_ns, high));
	else
		table_cell(table, "%s", "");
}

void text_categories_cell(struct table *table, const uint64_t times_ns[CATEGORY_COUNT], uint64_t all_ns)
{
	uint64_t left[CATEGORY_COUNT];
	char list[3 * (16 + UNITS_SIZE)] = "", text[UNITS_SIZE];
	size_t length = 0;

	memcpy(left, times_ns, sizeof(left));
	for (int shown = 0; shown < 3; shown++) {
		int most = 0;

		for (int category = 1; category < CATEGORY_COUNT; category++)
			most = left[category] > left[most] ? category : most;
		if (!left[most])
			break;
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s %s", shown ? ", " : "",
					   syscall_category_name(most),
					   units_format_share(left[most], all_ns, text));
		left[most] = 0;
	}
	table_cell(table, "%s", list);
}

static int print_marks(FILE *out, const struct report *report)
{
	const struct regions *marks = report->marks;

	for (size_t i = 0; marks && i < marks->moment_count; i++) {
		const struct moment *moment = &marks->moments[i];
		char *name = text_escape_name(moment->name), time[UNITS_SIZE];

		if (!name)
			return -ENOMEM;
		/* It may have been named before. */
		units_format_time(moment->time_ns < report->recording_start_ns ?
					  0 :
					  moment->time_ns - report->recording_start_ns,
				  time);
		fprintf(out, "mark at %s: %s\n", time, name);
		free(name);
	}
	return 0;
}

static int print_region(FILE *out, const struct report *report)
{
	const struct region *region = report->region;
	char *name = text_escape_name(region->name), length[UNITS_SIZE];

	if (!name)
		return -ENOMEM;
	fprintf(out, "Region %s: %" PRIu64 " time%s, %s\n", name, region->times,
		region->times == 1 ? "" : "s", units_format_time(report_recorded_ns(report), length));
	free(name);
	return 0;
}

/* A report is put together in memory, so that each of its lines can be as wide as the screen. */
struct text_page {
	FILE *out; /* where it goes in the end */
	char *text;
	size_t size;
};

static int open_page(struct renderer *renderer)
{
	struct text_page *page = calloc(1, sizeof(*page));
	FILE *out = page ? open_memstream(&page->text, &page->size) : NULL;

	if (!out) {
		free(page);
		return -ENOMEM;
	}
	page->out = renderer->out;
	renderer->out = out;
	renderer->state = page;
	return 0;
}

static int close_page(struct renderer *renderer, const struct report *report)
{
	struct text_page *page = renderer->state;
	int err = fclose(renderer->out) ? -ENOMEM : 0;
	char *wrapped = err ? NULL : text_wrap(page->text, text_width(report));

	renderer->out = page->out;
	if (wrapped)
		fputs(wrapped, renderer->out);
	err = wrapped ? 0 : -ENOMEM;
	free(wrapped);
	free(page->text);
	free(page);
	return err;
}

static int text_begin(struct renderer *renderer, const struct report *report)
{
	const struct scaler_window *window = &report->window;
	char length[UNITS_SIZE], start[UNITS_SIZE], paused[UNITS_SIZE];

	if (open_page(renderer))
		return -ENOMEM;
	if (report->region)
		return print_region(renderer->out, report);
	units_format_time(report_recorded_ns(report), length);
	units_format_time(window->start_ns - report->recording_start_ns, start);
	if (report->options.repeats)
		fprintf(renderer->out, "Interval of %s, from %s on", length, start);
	else
		fprintf(renderer->out, "Recorded for %s", length);
	if (report->paused_ns)
		fprintf(renderer->out, ", paused for %s", units_format_time(report->paused_ns, paused));
	fputc('\n', renderer->out);
	return print_marks(renderer->out, report);
}

/* Of one reason. */
#define FILES_SHOWN 5

/* Prints a line about the components from this one on that lack symbols for the same reason. */
static int print_symbols_missing(FILE *out, const struct places *places, size_t first)
{
	const char *problem = places->components[first].problem;
	size_t count = 0;

	for (size_t i = first; i < places->component_count; i++) {
		const struct place_component *component = &places->components[i];
		char *path;

		if (!component->problem || strcmp(component->problem, problem) != 0 || ++count > FILES_SHOWN)
			continue;
		path = text_escape_name(component->path ?: component->name);
		if (!path)
			return -ENOMEM;
		fprintf(out, "%s%s", count == 1 ? "note: no symbols of " : ", ", path);
		free(path);
	}
	if (count > FILES_SHOWN)
		fprintf(out, " and %zu other%s", count - FILES_SHOWN, count - FILES_SHOWN == 1 ? "" : "s");
	fprintf(out, ": %s\n", problem);
	return 0;
}

/* Components whose functions have no names, though they are files, by the reasons. */
static int text_symbols_missing(struct renderer *renderer, const struct places *places)
{
	int err = 0;

	for (size_t i = 0; i < places->component_count && !err; i++) {
		const char *problem = places->components[i].problem;
		bool is_first = problem;

		for (size_t j = 0; j < i && is_first; j++)
			is_first = !places->components[j].problem ||
				   strcmp(places->components[j].problem, problem) != 0;
		if (is_first)
			err = print_symbols_missing(renderer->out, places, i);
	}
	return err;
}

/* Such code has none of the probes that its file has. */
static int print_moved(FILE *out, const struct places *places)
{
	for (size_t i = 0; i < places->component_count; i++) {
		char *name;

		if (!places->components[i].is_moved)
			continue;
		name = text_escape_name(places->components[i].name);
		if (!name)
			return -ENOMEM;
		fprintf(out,
			"note: code of %s is run from memory that is no file's (for huge pages, say), where "
			"it has "
			"no probes\n",
			name);
		free(name);
	}
	return 0;
}

static void print_given_up(FILE *out, const char *given_up)
{
	if (given_up)
		fprintf(out, "note: symbols may be missing: %s\n", given_up);
}

static void print_losses(FILE *out, const struct report *report)
{
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++) {
		uint64_t lost = report->losses[cause];

		if (lost)
			fprintf(out, "lost: %" PRIu64 " %s\n", lost,
				loss_text((enum scaler_loss)cause, lost));
	}
}

/* What was not recorded as it is elsewhere, each if there is any. */
static void print_counts(FILE *out, const struct thread_summary *threads)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} notes[] = {
		{ threads->grouped, "thread that has ended is known by its name alone, as its calls are",
		  "threads that have ended are known by their names alone, as their calls are" },
		{ threads->total.dispatching,
		  "thread has the kernel hand system calls back to it (syscall user dispatch): those are "
		  "missed",
		  "threads have the kernel hand system calls back to them (syscall user dispatch): those are "
		  "missed" },
		{ threads->total.repaired, "switch was missed, and placed by CPU time",
		  "switches were missed, and placed by CPU time" },
		{ threads->total.unseen_wakeups,
		  "wakeup was missed; runnable time that followed counts as blocked",
		  "wakeups were missed; runnable time that followed counts as blocked" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		if (notes[i].count)
			fprintf(out, "note: %" PRIu64 " %s\n", notes[i].count,
				notes[i].count == 1 ? notes[i].one : notes[i].many);
	}
}

static void print_unsure_stacks(FILE *out, const struct report *report)
{
	if (report->unsure_stacks)
		fprintf(out,
			"note: %zu of %zu stacks may lack callers: code that no table describes was called "
			"through a pointer, and only frame pointers tell by whom\n",
			report->unsure_stacks, report->stacks);
}

/* "tracer: 0.4% of one CPU, 38.1 MiB, 0 lost". */
static void print_tracer(FILE *out, const struct report *report)
{
	char share[UNITS_SIZE], size[UNITS_SIZE];
	uint64_t lost = 0;

	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++)
		lost += report->losses[cause];
	fprintf(out, "tracer: %s of one CPU, %s, %" PRIu64 " lost\n",
		units_format_share(report->cost.cpu_ns, report_recorded_ns(report), share),
		units_format_size(report->cost.resident_bytes + report->cost.kernel_bytes, size), lost);
}

/* Which options show more. */
static void print_hints(const struct renderer *renderer, const struct report *report)
{
	FILE *out = renderer->out;

	if (renderer->hidden_columns)
		fprintf(out,
			"narrow: %zu column%s of the tables had no room in %zu characters: --wide shows "
			"all\n",
			renderer->hidden_columns, renderer->hidden_columns == 1 ? "" : "s",
			text_width(report));
	if ((report->options.parts & ~(unsigned int)REPORT_LIBRARY) == REPORT_SCREEN)
		fprintf(out,
			"more: --wait-chains (what the waits were made of), --report waits,locks (all of "
			"them), "
			"--report all (tables of functions, system calls and threads)%s\n",
			report->options.names_calls_option ? ", --calls (library calls, by probes)" : "");
	else if (report->options.names_calls_option)
		fputs("note: --calls counts and times the calls of library functions, by probes in the "
		      "program\n",
		      out);
}

static int text_coverage(struct renderer *renderer, const struct report *report)
{
	int err;

	fputc('\n', renderer->out);
	if (report->options.syscalls)
		fprintf(renderer->out,
			"filtered: system calls but %s; their time counts as outside of calls\n",
			report->options.syscalls);
	if (report->blocking.left_out)
		fprintf(renderer->out,
			"filtered: %zu blocking interval%s, by --min-duration, --since, --until, "
			"--state, --task or --func\n",
			report->blocking.left_out, report->blocking.left_out == 1 ? "" : "s");
	err = text_library_reasons(renderer, report->library.functions, "not counted: calls of", library_reason_omitted) ?:
		      text_library_reasons(renderer, report->library.functions, "not timed: calls of",
					   library_reason_untimed);
	text_library_coverage(renderer, report);
	text_cost(renderer, report);
	print_losses(renderer->out, report);

	print_unsure_stacks(renderer->out, report);
	print_counts(renderer->out, &report->threads);
	print_given_up(renderer->out, report->symbols_given_up);
	if (!err)
		err = print_moved(renderer->out, report->places) ?:
			      text_symbols_missing(renderer, report->places);
	print_tracer(renderer->out, report);
	print_hints(renderer, report);
	return err;
}

char *text_foot(struct renderer *renderer, const struct report *report)
{
	FILE *out = renderer->out;
	char *lines = NULL, *wrapped;
	size_t size;
	int err;

	renderer->out = open_memstream(&lines, &size);
	err = renderer->out ? text_coverage(renderer, report) : -ENOMEM;
	if (renderer->out && fclose(renderer->out))
		err = -ENOMEM;
	renderer->out = out;
	wrapped = err ? NULL : text_wrap(lines, text_width(report));
	free(lines);
	return wrapped;
}

static int text_end(struct renderer *renderer, const struct report *report)
{
	if (!renderer->state)
		return 0;
	if (report->options.repeats || report->options.has_others)
		fputc('\n', renderer->out);
	return close_page(renderer, report);
}

#define HOOK(argument, ID, functions, name, help, needs, keys) [PART_##ID] = text_##functions,

const struct renderer_ops renderer_text = {
	.name = "text",
	.begin = text_begin,
	.parts = { REPORT_PARTS(HOOK, ) },
	.stream = text_stream,
	.coverage = text_coverage,
	.end = text_end,
};
