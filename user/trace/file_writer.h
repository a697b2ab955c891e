/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes a recording file: a block when it is begun, one for each cut, and the index at its end, each by one write(). */
#ifndef SCALER_TRACE_FILE_WRITER_H
#define SCALER_TRACE_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/recording.h"
#include "trace/block.h"
#include "trace/chunk_writer.h"
#include "trace/kept_blocks.h"
#include "trace/rows.h"

/* All zero at first but for the first two. */
struct file_writer {
	int fd;                   /* the caller's: of an empty file; -1: blocks are kept in memory */
	struct kept_blocks *kept; /* the caller's, if they are */
	struct chunk_writer chunks;
	uint64_t bytes; /* of whole blocks */
	uint64_t sequence;
	struct trace_index_row *index; /* owned: the blocks so far, but for the head */
	size_t count;
	size_t capacity;
};

/*
 * All return 0 or a negative errno, after which nothing more is to be added, and the file has all whole blocks before: what
 * was written of one that found no room is cut off again.
 */
int file_writer_begin(struct file_writer *writer, const struct recording *recording);

/* As chunk_writer_name() and chunk_writer_make(). */
int file_writer_add(struct file_writer *writer, const struct profile *difference, const struct marks *marks,
		    const struct places *places, bool is_last);
int file_writer_end(struct file_writer *writer);

/* Writes all that is kept into an empty file, as a complete recording. */
int file_writer_save(const struct kept_blocks *kept, int fd);

/* Leaves the descriptor open. */
void file_writer_clear(struct file_writer *writer);

#endif
