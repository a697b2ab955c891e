/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a recording is saved in. All functions return 0, or a negative errno after an error message. */
#ifndef SCALER_CMD_RECORDING_OUTPUT_H
#define SCALER_CMD_RECORDING_OUTPUT_H

#include "trace/file_writer.h"

/* All zero: nothing is saved. */
struct recording_output {
	const char *path; /* the caller's */
	struct file_writer writer;
	uint64_t saved_ns; /* so much of the recording is in the file */
};

/* Makes the file. The descriptor tells of signals. */
int recording_output_open(struct recording_output *output, const char *path, int signal_fd);

int recording_output_begin(struct recording_output *output, const struct recording *recording);
/* As file_writer_add(). */
int recording_output_add(struct recording_output *output, const struct profile *difference,
			 const struct places *places, bool is_last);
/* The file is complete, and its data on the disk. */
int recording_output_end(struct recording_output *output);

/* Says where the recording is, and how large. */
void recording_output_say(const struct recording_output *output);

void recording_output_close(struct recording_output *output);

#endif
