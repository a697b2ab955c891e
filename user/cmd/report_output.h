/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where reports are written to: a file, or a stream whose reader may have stopped to read. Signals that end a recording
 * are blocked and are read by ending.h; so a write that could wait for ever is not begun here, and gives way to them.
 */
#ifndef SCALER_CMD_REPORT_OUTPUT_H
#define SCALER_CMD_REPORT_OUTPUT_H

#include <stdio.h>

struct report_output {
	FILE *file;       /* owned */
	const char *path; /* NULL: a standard stream; the caller's */
	int fd;           /* that the file writes to; owned if there is a path */
	int signal_fd; /* readable once a signal has come that nobody has read; the caller's; -1: signals end it by themselves */
	int error; /* the first that occurred, an errno; 0: none */
};

/* To the file, or if path is NULL to the descriptor, which stays the caller's. Returns 0, or -1 after an error message. */
int report_output_open(struct report_output *output, const char *path, int fd, int signal_fd);

/* How many characters a line has there: the terminal's, else those that the variable COLUMNS says, or a default. */
size_t report_output_width(const struct report_output *output);

/* Returns 0 or a negative errno, the first that has occurred. */
int report_output_flush(struct report_output *output);

/* Returns 0, or -1 after a message on the first error that has occurred. */
int report_output_close(struct report_output *output);

#endif
