/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line at the bottom of a terminal that says what goes on, and that the next one replaces. It is standard error's, and
 * a terminal that does not take it at once does without.
 */
#ifndef SCALER_BASE_STATUS_LINE_H
#define SCALER_BASE_STATUS_LINE_H

#include <stdbool.h>

/* From now on lines are shown, if standard error is a terminal that can replace them. Returns whether. Any thread may call these. */
bool status_line_begin(void);

/* The message is one line; it is escaped as log.h's messages are, and cut at the terminal's width. */
void status_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Takes the line away: something else is printed. */
void status_line_clear(void);

/* The same, and none is shown from now on. */
void status_line_end(void);

#endif
