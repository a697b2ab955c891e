/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a recording file from its beginning to its end, or to where it was cut. What cannot be read between two blocks is
 * passed over and counted. Nothing in the file is believed; it may shrink and grow meanwhile.
 */
#ifndef SCALER_TRACE_FILE_READER_H
#define SCALER_TRACE_FILE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/recording.h"
#include "trace/block.h"
#include "trace/chunk_reader.h"

/* What could not be read. */
struct file_flaws {
	enum trace_problem problem; /* the first; TRACE_FINE: all could be read */
	uint64_t at;                /* where in the file that is */
	uint64_t stretches;         /* between blocks */
	uint64_t lost;              /* blocks, before others that could be read */
	uint64_t unknown;           /* sections of kinds that a later version writes */
	bool has_end;               /* the file came to its end */
};

/* All zero at first but for the descriptor. */
struct file_reader {
	int fd; /* the caller's: of a regular file */
	uint64_t at;
	uint64_t size;     /* of the file, as far as is known */
	uint64_t sequence; /* of the next block */
	struct recording recording;
	char *texts; /* owned: what the recording's point into */
	struct chunk_reader chunks;
	struct file_flaws flaws;
};

/*
 * Reads what the recording is. Returns 0; -EBADMSG: it is no recording that can be read, as flaws say; or another negative
 * errno.
 */
int file_reader_begin(struct file_reader *reader);

/* Fills an empty chunk with the next one. Returns 1; 0: there is none; or a negative errno. */
int file_reader_next(struct file_reader *reader, struct chunk *chunk);

/* Leaves the descriptor open. */
void file_reader_clear(struct file_reader *reader);

#endif
