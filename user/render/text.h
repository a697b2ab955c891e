/* SPDX-License-Identifier: GPL-2.0-only */
/* The text renderer's tables, one per file, and what they share. */
#ifndef SCALER_RENDER_TEXT_H
#define SCALER_RENDER_TEXT_H

#include "model/syscalls.h"
#include "render/column.h"
#include "render/renderer.h"
#include "render/table.h"

/* Hooks of renderer_text. */
#define TEXT_HOOK(argument, ID, functions, name, help, needs, keys) render_hook text_##functions;
REPORT_PARTS(TEXT_HOOK, )
render_hook text_stream;

/* Of text_library(): which system calls were made in them. */
int text_library_syscalls(struct renderer *renderer, const struct report *report);

void text_library_function_cell(struct table *table, const struct library_function *function);
/* Calls, and with times those timed, total, self, blocked. */
void text_library_figures_cells(struct table *table, const struct library_figures *figures, bool is_timed);

/*
 * The foot below a summary, with lines that are broken where they are wider than the screen, for the caller to free; NULL: there
 * is no memory.
 */
char *text_foot(struct renderer *renderer, const struct report *report);
/* For the foot: which functions' calls were not recorded. Returns 0 or -ENOMEM. */
void text_library_coverage(struct renderer *renderer, const struct report *report);
/* What stands before a figure that windows of system calls tell of: "~", or nothing. */
const char *text_sampled_mark(const struct sampled_sums *sums);
/* What the tracer took from the threads, and what it did not record therefore. */
void text_cost(struct renderer *renderer, const struct report *report);
int text_library_reasons(struct renderer *renderer, const struct library_functions *functions,
			 const char *what, library_reason reason_of);

/* Of a line, in characters. */
size_t text_width(const struct report *report);

/* Prints a table as table_print() does, no wider than the screen. */
int text_table_print(struct renderer *renderer, const struct report *report, struct table *table);

/* Prints its first rows, what the others come to, and the sums below them. */
int text_report_table(struct renderer *renderer, const struct report *report,
		      const struct report_table *description);

/* How many of the rows are shown; a single one too many is shown rather than called "others". */
size_t text_rows_shown(const struct report *report, size_t rows);

#define TEXT_OTHERS_SIZE 40

/* "(12 others)". Returns buffer. */
const char *text_others(size_t count, char buffer[TEXT_OTHERS_SIZE]);

/* A single name leaves the others on the screen. */
#define TEXT_NAME_WIDTH 100

/* A thread's name as a string, in the buffer. */
const char *text_comm(const char comm[SCALER_COMM_SIZE], char buffer[VALUE_TEXT_SIZE]);

/* A name made safe to print, and shortened, in memory of its own for the caller to free; NULL without memory. */
char *text_escape_name(const char *name);
void text_escaped_cell(struct table *table, const char *name);

/* "libc.so.6" by its index, or "[unknown]"; not trusted. */
const char *text_component_name(const struct places *places, size_t component);

/* "libc.so.6:read", or without a symbol "ld-linux-x86-64.so.2+0x1b2c"; the same about the memory. */
char *text_format_place(const struct places *places, size_t index);
void text_place_cell(struct table *table, const struct places *places, size_t index);

/* "fd 3 pipe:[1234]"; "" if nothing is known; the same about the memory. */
char *text_format_resource(const struct report *report, const struct resource *resource);

/* "futex"; "" of what is not known. */
const char *text_resource_kind(enum scaler_resource_kind kind);

/* ">=1.234 ms" of a lower bound. */
void text_bound_cell(struct table *table, uint64_t time_ns, bool is_lower_bound);

/* "12.345678", seconds since the recording began, or "14:03:59.012345" with --wall-clock. */
void text_clock_cell(struct table *table, const struct report *report, uint64_t time_ns);

/* The library function, or what is known instead, and who called it; and, why neither is known. */
void text_call_function_cell(struct table *table, const struct places *places, const struct call_path *path);
void text_caller_cell(struct table *table, const struct places *places, const struct call_path *path);
void text_wait_path_cell(struct table *table, const struct places *places, const struct wait_place *place);

#define TEXT_CHAIN_INDENT 2 /* columns for each depth */

/* What a part of a chain was, "worker [1234] waits", of that thread, or of all of that name if it is NULL. */
void text_chain_what_cell(struct table *table, const struct report *report, const struct chain_what *what,
			  const struct scaler_thread *thread, size_t depth);
/* What a wait was in and on, or what running ended with: four cells. */
void text_chain_place_cells(struct table *table, const struct report *report, const struct chain_what *what);
/* Share, total, count, mean and longest. */
void text_chain_figures_cells(struct table *table, uint64_t total_ns, uint64_t whole_ns, uint64_t count,
			      uint64_t longest_ns);

/* The 95 % interval of a running time that is in part by samples; nothing if there are none. */
void text_interval_cell(struct table *table, const struct report *report, const struct time_figures *figures);

/* The categories that most of the time is in, "network 80.0%, sync 19.9%". */
void text_categories_cell(struct table *table, const uint64_t times_ns[CATEGORY_COUNT], uint64_t all_ns);

#endif
