/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a recording is saved: in a file, or the last of it in memory, out of which it is written into files. All functions
 * return 0, or a negative errno after an error message.
 */
#ifndef SCALER_CMD_RECORDING_OUTPUT_H
#define SCALER_CMD_RECORDING_OUTPUT_H

#include <stdbool.h>

#include "options/options.h"
#include "trace/file_writer.h"

/* All zero: nothing is saved. */
struct recording_output {
	const char *path; /* the caller's */
	int fd;           /* of the file; owned */
	int signal_fd;    /* the caller's */
	struct file_writer writer;
	struct kept_blocks kept;
	bool keeps;
	unsigned int saves; /* of what is kept, before the last */
	uint64_t start_ns;  /* of the recording, and the end of its last chunk; CLOCK_MONOTONIC */
	uint64_t end_ns;
};

/* Makes the file. The descriptor tells of signals. */
int recording_output_open(struct recording_output *output, const char *path, const struct keep_options *keep,
			  int signal_fd);

int recording_output_begin(struct recording_output *output, const struct recording *recording);
/* As file_writer_add(). */
int recording_output_add(struct recording_output *output, const struct profile *difference,
			 const struct marks *marks, const struct places *places, bool is_last);

/* Writes what is kept into a file of that name; NULL: one that is numbered. The recording goes on, whatever comes of it. */
int recording_output_save(struct recording_output *output, const char *path);

/* The file is complete, and its data on the disk. */
int recording_output_end(struct recording_output *output);

/* Says where the recording is, and how large. */
void recording_output_say(const struct recording_output *output);

void recording_output_close(struct recording_output *output);

#endif
