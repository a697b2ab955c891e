// SPDX-License-Identifier: GPL-2.0-only
/* Reads a recording file block by block, and finds the next one behind what is damaged. */
#include "trace/file_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file_bytes.h"

/* Of the file, at once, where a block is looked for. */
#define PIECE_BYTES 65536

/* Stretches passed over at most, as they cannot be read: a disk damages few, a made-up file may have any number. */
#define STRETCHES_MAX 10000

/* The block that was read last. */
struct block {
	struct trace_block header;
	void *payload; /* owned */
};

static void note(struct file_reader *reader, enum trace_problem problem, uint64_t at)
{
	if (reader->flaws.problem == TRACE_FINE) {
		reader->flaws.problem = problem;
		reader->flaws.at = at;
	}
}

static int find_size(struct file_reader *reader)
{
	struct stat status;
	int err = file_bytes_stat(reader->fd, &status);

	reader->size = err ? 0 : (uint64_t)status.st_size;
	return err;
}

static enum trace_problem read_payload(const struct file_reader *reader, struct block *block)
{
	size_t size = (size_t)trace_block_bytes(&block->header);
	enum trace_problem problem = TRACE_CUT;
	char *bytes = malloc(size);

	if (!bytes)
		return TRACE_NO_MEMORY;
	if (file_bytes_read(reader->fd, reader->at, bytes, size) == (ssize_t)size)
		problem = trace_block_payload(bytes, &block->header, &block->payload);
	free(bytes);
	return problem;
}

/* What is there, where the reader is. */
static enum trace_problem read_block(const struct file_reader *reader, struct block *block)
{
	char bytes[sizeof(struct trace_block)] = { 0 };
	ssize_t got = file_bytes_read(reader->fd, reader->at, bytes, sizeof(bytes));
	enum trace_problem problem;

	*block = (struct block){ 0 };
	if (got < 0)
		return TRACE_UNREADABLE;
	problem = trace_block_header(bytes,
				     got < (ssize_t)sizeof(bytes) ? (size_t)got : reader->size - reader->at,
				     &block->header);
	if (problem == TRACE_NEWER && reader->at)
		problem = TRACE_DAMAGED;
	return problem ?: read_payload(reader, block);
}

/* Goes on to what looks like a block, behind where the reader is, or to the end of the file. Returns 0 or a negative errno. */
static int find_block(struct file_reader *reader)
{
	const size_t magic_bytes = sizeof(((struct trace_block *)0)->magic);
	char *piece = malloc(PIECE_BYTES);
	ssize_t got = piece ? PIECE_BYTES : -ENOMEM;

	if (++reader->flaws.stretches > STRETCHES_MAX)
		reader->at = reader->size;
	else
		reader->at++;
	while (got >= (ssize_t)magic_bytes) {
		const char *found;

		got = file_bytes_read(reader->fd, reader->at, piece, PIECE_BYTES);
		found = got > 0 ? memmem(piece, (size_t)got, TRACE_MAGIC, magic_bytes) : NULL;
		if (found) {
			reader->at += (uint64_t)(found - piece);
			break;
		}
		if (got >= (ssize_t)magic_bytes)
			reader->at += (size_t)got - (magic_bytes - 1);
		else
			reader->at = reader->size;
	}
	free(piece);
	return got < 0 ? (int)got : 0;
}

static const char *text_at(const struct file_reader *reader, size_t bytes, uint32_t at)
{
	return at < bytes ? reader->texts + at : NULL;
}

static int take_recording(struct file_reader *reader, const struct trace_reading *reading)
{
	const struct trace_recording_row *row;
	void *rows = NULL, *texts = NULL;
	size_t count = 0, bytes = 0;
	uint64_t offset;
	int err = trace_reading_take(reading, TRACE_STRINGS, 1, &texts, &bytes, &offset);

	reader->texts = texts;
	if (!err)
		err = trace_reading_take(reading, TRACE_RECORDING, sizeof(*row), &rows, &count, &offset);
	row = rows;
	if (!err && count == 1) {
		reader->recording = (struct recording){
			.recorded = row->recorded,
			.machine = row->machine,
			.cpus = row->cpus,
			.frequency = row->frequency,
			.process = row->process,
			.syscalls = text_at(reader, bytes, row->syscalls),
			.host = text_at(reader, bytes, row->host),
			.kernel = text_at(reader, bytes, row->kernel),
			.version = text_at(reader, bytes, row->version),
			.command_line = text_at(reader, bytes, row->command_line),
		};
		memcpy(reader->recording.boot_id, row->boot_id, sizeof(row->boot_id));
	}
	free(rows);
	return err ?: count == 1 ? 0 : -EBADMSG;
}

static int error_of(enum trace_problem problem)
{
	return problem == TRACE_NO_MEMORY ? -ENOMEM : problem == TRACE_UNREADABLE ? -EIO : -EBADMSG;
}

int file_reader_begin(struct file_reader *reader)
{
	struct block block;
	enum trace_problem problem;
	int err = find_size(reader);

	if (err)
		return err;
	problem = read_block(reader, &block);
	if (problem == TRACE_FINE && block.header.type != TRACE_BLOCK_HEAD)
		problem = TRACE_NO_BLOCK;
	if (problem == TRACE_FINE) {
		const struct trace_reading reading = { block.payload, (size_t)block.header.plain_bytes };

		err = take_recording(reader, &reading);
		problem = err == -EBADMSG ? TRACE_DAMAGED : TRACE_FINE;
	}
	free(block.payload);
	if (problem != TRACE_FINE) {
		note(reader, problem, reader->at);
		return error_of(problem);
	}
	reader->at += trace_block_bytes(&block.header);
	reader->sequence = block.header.sequence + 1;
	return err;
}

/* Blocks that come again, or out of their order, are another file's, and those that are missing are counted. */
static bool is_next(struct file_reader *reader, const struct trace_block *header)
{
	if (header->type == TRACE_BLOCK_HEAD || header->sequence < reader->sequence)
		return false;
	reader->flaws.lost += header->sequence - reader->sequence;
	reader->sequence = header->sequence + 1;
	return true;
}

/* Returns 1: the block was a chunk, 0: it was none, or a negative errno. */
static int take_block(struct file_reader *reader, const struct block *block, struct chunk *chunk)
{
	const struct trace_reading reading = { block->payload, (size_t)block->header.plain_bytes };
	uint64_t offset;
	int err = 0;

	if (!is_next(reader, &block->header)) {
		note(reader, TRACE_OTHER_FILE, reader->at);
		return 0;
	}
	reader->flaws.has_end = block->header.type == TRACE_BLOCK_END;
	if (block->header.type == TRACE_BLOCK_CHUNK)
		err = chunk_reader_take(&reader->chunks, &reading, chunk, &offset);
	else if (block->header.type == TRACE_BLOCK_NAMES)
		err = chunk_reader_define(&reader->chunks, &reading, &offset);
	if (err == -EBADMSG) {
		chunk_clear(chunk);
		note(reader, TRACE_DAMAGED, reader->at);
		reader->flaws.lost++;
		return 0;
	}
	reader->flaws.unknown += trace_reading_unknown(&reading);
	return err ?: block->header.type == TRACE_BLOCK_CHUNK;
}

int file_reader_next(struct file_reader *reader, struct chunk *chunk)
{
	int state = 0;

	while (!state && !reader->flaws.has_end && reader->at < reader->size) {
		struct block block;
		enum trace_problem problem = read_block(reader, &block);

		if (problem == TRACE_FINE) {
			state = take_block(reader, &block, chunk);
			reader->at += trace_block_bytes(&block.header);
		} else {
			note(reader, problem, reader->at);
			state = problem == TRACE_NO_MEMORY || problem == TRACE_UNREADABLE ?
					error_of(problem) :
					find_block(reader);
		}
		free(block.payload);
	}
	return state;
}

void file_reader_clear(struct file_reader *reader)
{
	chunk_reader_clear(&reader->chunks);
	free(reader->texts);
	*reader = (struct file_reader){ .fd = -1 };
}
