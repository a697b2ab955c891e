// SPDX-License-Identifier: GPL-2.0-only
/* The reports as text for people. */
#include "render/renderer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "model/syscalls.h"
#include "render/table.h"

#define THREADS_SHOWN 20
#define BAR_WIDTH     20

/* '#' running, '=' runnable, '.' blocked, together BAR_WIDTH characters, rounded as sums. */
static const char *format_bar(const struct thread_figures *figures, char bar[BAR_WIDTH + 1])
{
	const uint64_t *time_ns = figures->time_ns;
	double scale = figures->life_ns ? (double)BAR_WIDTH / (double)figures->life_ns : 0;
	int running = (int)((double)time_ns[SCALER_RUNNING] * scale + 0.5);
	int able = (int)((double)(time_ns[SCALER_RUNNING] + time_ns[SCALER_RUNNABLE]) * scale + 0.5);

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '=', (size_t)able);
	memset(bar, '#', (size_t)running);
	bar[BAR_WIDTH] = '\0';
	return bar;
}

static void figures_cells(struct table *table, const struct thread_figures *figures)
{
	char text[UNITS_SIZE], bar[BAR_WIDTH + 1];

	table_cell(table, "%s", units_format_time(figures->life_ns, text));
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		table_cell(table, "%s", units_format_time(figures->time_ns[state], text));
	table_cell(table, "%s", format_bar(figures, bar));
	table_cell(table, "%" PRIu64, figures->voluntary);
	table_cell(table, "%" PRIu64, figures->involuntary);
}

/* "read socket 1.234 s". */
static void top_call_cell(struct table *table, const struct thread_row *row)
{
	const struct scaler_call_id *id = &row->top_call;
	char name[SYSCALL_NAME_SIZE], text[UNITS_SIZE];

	if (row->top_call_blocked_ns)
		table_cell(table, "%s%s%s %s", syscall_format(id->abi, id->number, name),
			   id->descriptor ? " " : "", syscall_descriptor_name(id->descriptor),
			   units_format_time(row->top_call_blocked_ns, text));
	else
		table_cell(table, "%s", "");
}

static void thread_cells(struct table *table, const struct thread_row *row)
{
	char name[ESCAPE_FACTOR * sizeof(row->comm)];

	table_cell(table, "%s", escape_text(row->comm, sizeof(row->comm), name));
	table_cell(table, "%" PRIu32, row->pid);
	table_cell(table, "%" PRIu32, row->tid);
	figures_cells(table, &row->figures);
	top_call_cell(table, row);
}

static void sum_cells(struct table *table, const char *name, const struct thread_figures *figures)
{
	table_cell(table, "%s", name);
	table_cell(table, "%s", "");
	table_cell(table, "%s", "");
	figures_cells(table, figures);
	table_cell(table, "%s", "");
}

static int text_begin(struct renderer *renderer, const struct report *report)
{
	const struct scaler_window *window = &report->window;
	char text[UNITS_SIZE];

	fprintf(renderer->out, "Recorded for %s\n",
		units_format_time(window->end_ns - window->start_ns, text));
	return 0;
}

/* A name in memory of its own, for the caller to free; NULL without memory. */
static char *escape_name(const char *name)
{
	char *escaped = malloc(ESCAPE_FACTOR * strlen(name) + 1);

	if (escaped)
		escape_text(name, strlen(name), escaped);
	return escaped;
}

/* The categories that most of the time was blocked in, "network 80.0%, sync 19.9%". */
static void categories_cell(struct table *table, const struct component_figures *figures)
{
	uint64_t left[CATEGORY_COUNT], all = figures->time_ns[SCALER_BLOCKED];
	char list[3 * (16 + UNITS_SIZE)] = "", text[UNITS_SIZE];
	size_t length = 0;

	memcpy(left, figures->blocked_ns, sizeof(left));
	for (int shown = 0; shown < 3; shown++) {
		int most = 0;

		for (int category = 1; category < CATEGORY_COUNT; category++)
			most = left[category] > left[most] ? category : most;
		if (!left[most])
			break;
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s %s",
					   shown ? ", " : "", syscall_category_name(most),
					   units_format_share(left[most], all, text));
		left[most] = 0;
	}
	table_cell(table, "%s", list);
}

static void component_cells(struct table *table, const char *name,
			    const struct component_figures *figures, uint64_t all_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", name);
	table_cell(table, "%s", units_format_share(figures->total_ns, all_ns, text));
	for (int state = 0; state < SCALER_STATE_COUNT; state++)
		table_cell(table, "%s", units_format_time(figures->time_ns[state], text));
	table_cell(table, "%" PRIu64, figures->calls);
	categories_cell(table, figures);
}

static int text_components(struct renderer *renderer, const struct component_summary *components)
{
	static const struct table_column columns[] = {
		{ "CALLS ISSUED BY", true }, { "SHARE", false },   { "RUNNING", false },
		{ "RUNNABLE", false },	     { "BLOCKED", false }, { "CALLS", false },
		{ "BLOCKED IN", true },
	};
	uint64_t all_ns = components->total.total_ns;
	struct table table;
	int err = 0;

	fputs("\nComponents: the threads' time by who issued the system call they were in\n\n",
	      renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < components->row_count; i++) {
		const struct component_row *row = &components->rows[i];
		char *name = row->component ? escape_name(row->component->name) : NULL;

		if (row->component && !name)
			err = -ENOMEM;
		component_cells(&table, name ?: "(outside of calls)", &row->figures, all_ns);
		free(name);
	}
	component_cells(&table, "total", &components->total, all_ns);
	return table_print(&table, renderer->out) ?: err;
}

static int text_threads(struct renderer *renderer, const struct thread_summary *threads)
{
	static const struct table_column columns[] = {
		{ "THREAD", true }, { "PID", false },	    { "TID", false },
		{ "LIFE", false },  { "RUNNING #", false }, { "RUNNABLE =", false },
		{ "BLOCKED .", false }, { "", true },	    { "VOLUNTARY", false },
		{ "INVOLUNTARY", false }, { "TOP BLOCKING CALL", true },
	};
	size_t shown = threads->row_count > THREADS_SHOWN + 1 ? THREADS_SHOWN : threads->row_count;
	struct table table;
	char others[40];

	fprintf(renderer->out, "\nThreads: %zu of %zu process%s\n\n", threads->row_count,
		threads->process_count, threads->process_count == 1 ? "" : "es");
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		thread_cells(&table, &threads->rows[i]);
	if (shown < threads->row_count) {
		struct thread_figures rest = thread_summary_rest(threads, shown);

		snprintf(others, sizeof(others), "(%zu others)", threads->row_count - shown);
		sum_cells(&table, others, &rest);
	}
	sum_cells(&table, "total", &threads->total);
	return table_print(&table, renderer->out);
}

/* A sum of times that includes calls cut short is a lower bound. */
static void bound_cell(struct table *table, uint64_t whole_ns, uint64_t partial_ns, bool partial)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s%s", partial ? ">=" : "",
		   units_format_time(whole_ns + partial_ns, text));
}

static void call_figures_cells(struct table *table, const struct call_figures *figures)
{
	const struct partial_figures *partial = &figures->partial;

	table_cell(table, "%" PRIu64, figures->count + partial->count);
	table_cell(table, "%" PRIu64, figures->errors);
	bound_cell(table, figures->total_ns, partial->total_ns, partial->count);
	bound_cell(table, figures->blocked_ns, partial->blocked_ns, partial->count);
}

static void call_time_cell(struct table *table, const struct call_summary_row *row, uint64_t time_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", row->figures.count ? units_format_time(time_ns, text) : "-");
}

/* The most frequent errors, "ENOENT 12, EACCES 1". */
static void errors_cell(struct table *table, const struct call_summary_row *row)
{
	char list[3 * (CALL_ERROR_NAME_SIZE + UNITS_SIZE)] = "", name[CALL_ERROR_NAME_SIZE];
	size_t length = 0, shown = row->error_count < 2 ? row->error_count : 2;

	for (size_t i = 0; i < shown; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s %" PRIu64,
					   i ? ", " : "",
					   call_error_format(row->errors[i].code, name),
					   row->errors[i].count);
	if (shown < row->error_count)
		snprintf(list + length, sizeof(list) - length, ", ...");
	table_cell(table, "%s", list);
}

/* "libc.so.6:read", or without a symbol "ld-linux-x86-64.so.2+0x1b2c". */
static void issuer_cell(struct table *table, const struct issuers *issuers,
			const struct issuer *issuer)
{
	char *component = escape_name(issuers->components[issuer->component].name);
	char *function = issuer->function ? escape_name(issuer->function) : NULL;

	/* What is left out for want of memory fails the table. */
	table->failed |= !component || (issuer->function && !function);
	if (function)
		table_cell(table, "%s:%s", component ?: "", function);
	else if (issuer->offset)
		table_cell(table, "%s+0x%" PRIx64, component ?: "", issuer->offset);
	else
		table_cell(table, "%s", component ?: "");
	free(component);
	free(function);
}

static void call_cells(struct table *table, const struct issuers *issuers,
		       const struct call_summary_row *row)
{
	const struct call_summary_key *key = &row->key;
	char name[SYSCALL_NAME_SIZE];

	table_cell(table, "%s", syscall_format(key->abi, key->number, name));
	table_cell(table, "%s", syscall_descriptor_name(key->descriptor));
	table_cell(table, "%s", syscall_category_name(row->category));
	call_figures_cells(table, &row->figures);
	call_time_cell(table, row, row->p50_ns);
	call_time_cell(table, row, row->p99_ns);
	call_time_cell(table, row, row->max_ns);
	errors_cell(table, row);
	issuer_cell(table, issuers, &issuers->items[key->issuer]);
}

static int text_calls(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		{ "SYSTEM CALL", true }, { "ON", true },	     { "CATEGORY", true },
		{ "CALLS", false },	 { "ERRORS", false },	     { "TOTAL", false },
		{ "BLOCKED", false },	 { "P50", false },	     { "P99", false },
		{ "MAX", false },	 { "ERRORS BY NAME", true }, { "ISSUED BY", true },
	};
	const struct call_summary *summary = &report->calls;
	struct table table;
	int err;

	fputs("\nSystem calls\n\n", renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < summary->row_count; i++)
		call_cells(&table, &report->issuers, &summary->rows[i]);
	table_cell(&table, "total");
	table_cell(&table, "%s", "");
	table_cell(&table, "%s", "");
	call_figures_cells(&table, &summary->total);
	for (int i = 0; i < 5; i++)
		table_cell(&table, "%s", "");
	err = table_print(&table, renderer->out);
	if (summary->total.partial.count)
		fprintf(renderer->out,
			"\n>=: with %" PRIu64 " calls that had begun before the recording or had not "
			"returned when it or their thread ended\n",
			summary->total.partial.count);
	return err;
}

/* Components whose functions have no names, though they are files. */
static int text_symbols_missing(struct renderer *renderer, const struct issuers *issuers)
{
	for (size_t i = 0; i < issuers->component_count; i++) {
		const struct issuer_component *component = &issuers->components[i];
		char *path;

		if (!component->problem)
			continue;
		path = escape_name(component->path ?: component->name);
		if (!path)
			return -ENOMEM;
		fprintf(renderer->out, "note: no symbols of %s: %s\n", path, component->problem);
		free(path);
	}
	return 0;
}

static int text_coverage(struct renderer *renderer, const struct report *report)
{
	static const char *const loss_texts[SCALER_LOSS_COUNT] = {
		[SCALER_LOSS_COMPONENT_MAP] =
			"calls without a component (the component map is full)",
		[SCALER_LOSS_TASK_STORAGE] =
			"threads not followed (no kernel memory for their state)",
		[SCALER_LOSS_THREAD_MAP] = "threads without times (the thread map is full)",
		[SCALER_LOSS_CALL_MAP] = "system calls not recorded (the system-call map is full)",
		[SCALER_LOSS_ERROR_MAP] = "errors without a name (the error map is full)",
	};
	const struct thread_figures *total = &report->threads.total;
	uint64_t lost = 0;

	fputc('\n', renderer->out);
	for (int cause = 0; cause < SCALER_LOSS_COUNT; cause++) {
		lost += report->losses[cause];
		if (report->losses[cause])
			fprintf(renderer->out, "lost: %" PRIu64 " %s\n", report->losses[cause],
				loss_texts[cause]);
	}
	if (!lost)
		fputs("lost: nothing\n", renderer->out);
	if (total->repaired)
		fprintf(renderer->out,
			"note: %" PRIu64 " switches were not seen and placed by CPU time\n",
			total->repaired);
	if (total->unseen_wakeups)
		fprintf(renderer->out,
			"note: %" PRIu64 " wakeups were not seen; runnable time after them counts "
			"as blocked\n",
			total->unseen_wakeups);
	return text_symbols_missing(renderer, &report->issuers);
}

static int text_end(struct renderer *renderer)
{
	(void)renderer;
	return 0;
}

const struct renderer_ops renderer_text = {
	.name = "text",
	.begin = text_begin,
	.components = text_components,
	.calls = text_calls,
	.threads = text_threads,
	.coverage = text_coverage,
	.end = text_end,
};
