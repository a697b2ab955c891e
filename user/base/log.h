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

/* Each prints "scaler-bpf: ", the message and a newline; the message has neither. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Printed in verbose mode only: as the ones before, and as it is. */
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug_raw(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

#endif
