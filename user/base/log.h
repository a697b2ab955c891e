/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages for the person at the terminal, on standard error. An error is one line that says what
 * failed on what, why, and the remedy.
 */
#ifndef SCALER_BASE_LOG_H
#define SCALER_BASE_LOG_H

#include <stdbool.h>
#include <stdarg.h>

/* Also print what is only of use in finding a fault (libbpf's own messages, verifier logs). */
void log_set_verbose(bool verbose);

#define LOG_MESSAGE_MAX 8192 /* bytes; what is longer is cut */

/*
 * Each prints "scaler-bpf: ", the message and a newline; the message has neither. Whatever is in it, names of others too, is
 * escaped, as in reports.
 */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Of notes as many as a bucket holds are printed at once, and one for each time that it takes to fill by one. */
#define LOG_NOTES_MAX 100
#define LOG_NOTE_NS   100000000
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The tracer ends: says how many notes were not printed. */
void log_finish(void);

/* Printed in verbose mode only: as the ones before, and as it is. */
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug_raw(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
