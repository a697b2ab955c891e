/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns that rows of waits have in common, one or sums of them: what stands first in such a row is a struct blocking_row. */
#ifndef SCALER_RENDER_WAIT_COLUMNS_H
#define SCALER_RENDER_WAIT_COLUMNS_H

#include "analysis/blocking_report.h"
#include "render/column.h"

/* A column in a line or two. */
/* clang-format off */

/* Where it waited, and on what. */
#define WAIT_PLACE_COLUMNS                                                                                   \
	{ COLUMN_OBJECT, 2, "SYSTEM CALL", "syscall", "null: outside of system calls",                       \
	  .cell = text_wait_call_cell, .object = json_wait_call_object, .type = "blocking_call" },           \
	{ COLUMN_OBJECT, 1, "ON", "resource", "what was waited on", .cell = text_wait_on_cell,               \
	  .object = json_wait_resource_object, .type = "resource" },                                         \
	{ COLUMN_PLACE, 0, NULL, "kernel_function",                                                          \
	  "in which the thread slept, as in /proc/PID/wchan; looked for outside of system calls and in "     \
	  "sleeps that cannot be interrupted; null: not known, or not looked for",                           \
	  FIELD(struct blocking_row, kernel) },                                                              \
	{ COLUMN_PLACE, 0, "FUNCTION", "function",                                                           \
	  "the library function that the application called, as in \"functions\"; null: not known, as "      \
	  "are the next", FIELD(struct blocking_row, place.path.entered),                                    \
	  .cell = text_wait_function_cell },                                                                 \
	{ COLUMN_PLACE, 0, NULL, "innermost", NULL, FIELD(struct blocking_row, place.path.innermost) },      \
	{ COLUMN_PLACE, 1, "CALLED BY", "caller", "the application's function",                              \
	  FIELD(struct blocking_row, place.path.caller), .cell = text_wait_caller_cell },                    \
	{ COLUMN_WORD, 0, NULL, "cut", "why no function is known, if the stack was cut",                     \
	  .text = wait_cut_text }

/* What ended it. */
#define WAKER_COLUMNS(waker_cell)                                                                            \
	{ COLUMN_OBJECT, 0, "WOKEN BY", NULL, "a task, a timer, a signal, a disk or a host",                 \
	  .cell = (waker_cell) },                                                                            \
	{ COLUMN_PLACE, 3, "WAKER'S FUNCTION", NULL, "the library function by which the task did",           \
	  .cell = text_waker_function_cell },                                                                \
	{ COLUMN_PLACE, 4, "WAKER'S CALLER", NULL, "who had called that",                                    \
	  .cell = text_waker_caller_cell },                                                                  \
	{ COLUMN_WORD, 5, "CONTEXT", NULL,                                                                   \
	  "what the CPU was at that the wakeup came from: a task, or which interrupt",                       \
	  .cell = text_waker_context_cell }
/* clang-format on */

/* "read", "-" outside of system calls; "fd 3 pipe:[1234]"; the library function, and who called it. */
void text_wait_call_cell(struct table *table, const struct report *report, const void *row);
void text_wait_on_cell(struct table *table, const struct report *report, const void *row);
void text_wait_function_cell(struct table *table, const struct report *report, const void *row);
void text_wait_caller_cell(struct table *table, const struct report *report, const void *row);

/* "main [1234]", "timer", or "remote 10.0.0.2:80", perhaps with ", SIGALRM"; of a sum (a struct wait_row) "main". */
void text_waker_cell(struct table *table, const struct report *report, const void *row);
void text_wakers_cell(struct table *table, const struct report *report, const void *row);
/* The library function by which a task did, or else "(exit_group)", its system call; who called that; "softirq NET_RX". */
void text_waker_function_cell(struct table *table, const struct report *report, const void *row);
void text_waker_caller_cell(struct table *table, const struct report *report, const void *row);
void text_waker_context_cell(struct table *table, const struct report *report, const void *row);

const char *wait_cut_text(const void *row, char buffer[VALUE_TEXT_SIZE]);
json_t *json_wait_call_object(const struct report *report, const void *row);
json_t *json_wait_resource_object(const struct report *report, const void *row);

/* Where the wakeup came from, of one wait and of a sum (a struct wait_row); null: it was missed. */
json_t *json_wakeup_object(const struct report *report, const void *row);
json_t *json_wakeups_object(const struct report *report, const void *row);

/* The frames of a stack, the innermost first. */
json_t *json_stack_array(const struct frames *frames);

#endif
