// SPDX-License-Identifier: GPL-2.0-only
/* Writes a recording file block by block. */
#include "trace/file_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(fd, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written ? -errno : -ENOSPC;
		bytes += written;
		size -= (size_t)written;
	}
	return 0;
}

/* A block that does not fit is cut off again. */
static int append(struct file_writer *writer, const void *block, size_t size)
{
	int err = write_all(writer->fd, block, size);

	if (!err)
		writer->bytes += size;
	else if (!ftruncate(writer->fd, (off_t)writer->bytes))
		lseek(writer->fd, 0, SEEK_END);
	return err;
}

static int write_block(struct file_writer *writer, const struct trace_block *header,
		       const struct trace_payload *payload)
{
	size_t size;
	void *block;
	int err;

	if (payload->failed)
		return -ENOMEM;
	if (payload->size > TRACE_PAYLOAD_LIMIT)
		return -EFBIG;
	block = trace_block_pack(header, payload->bytes, payload->size, &size);
	if (!block)
		return -ENOMEM;
	writer->sequence++;
	if (writer->kept)
		return kept_blocks_add(writer->kept, block, size);
	err = append(writer, block, size);
	free(block);
	return err;
}

/* Where it begins among the strings. */
static uint32_t add_text(FILE *strings, const char *text)
{
	long at = ftell(strings);

	if (!text || at < 0)
		return TRACE_NO_TEXT;
	fwrite(text, 1, strlen(text) + 1, strings);
	return (uint32_t)at;
}

static void add_recording(struct trace_payload *payload, FILE *strings, const struct recording *recording)
{
	struct trace_recording_row row = {
		.recorded = recording->recorded,
		.machine = recording->machine,
		.cpus = recording->cpus,
		.frequency = recording->frequency,
		.process = recording->process,
		.syscalls = add_text(strings, recording->syscalls),
		.host = add_text(strings, recording->host),
		.kernel = add_text(strings, recording->kernel),
		.version = add_text(strings, recording->version),
		.command_line = add_text(strings, recording->command_line),
	};

	memcpy(row.boot_id, recording->boot_id, sizeof(row.boot_id));
	trace_payload_add(payload, TRACE_RECORDING, &row, sizeof(row), 1);
}

int file_writer_begin(struct file_writer *writer, const struct recording *recording)
{
	const struct trace_block header = { .type = TRACE_BLOCK_HEAD };
	struct trace_payload payload = { 0 };
	char *text = NULL;
	size_t size;
	FILE *strings = open_memstream(&text, &size);
	int err;

	if (!strings)
		return -ENOMEM;
	add_text(strings, "");
	add_recording(&payload, strings, recording);
	err = fclose(strings) ? -ENOMEM : 0;
	if (!err)
		trace_payload_add(&payload, TRACE_STRINGS, text, 1, size);
	err = err ?: write_block(writer, &header, &payload);
	trace_payload_clear(&payload);
	free(text);
	return err;
}

static int add_index(struct file_writer *writer, const struct trace_block *header)
{
	struct trace_index_row *index;

	/* What is kept has none until it is saved. */
	if (writer->kept)
		return 0;
	index = array_reserve(writer->index, writer->count, &writer->capacity, sizeof(*index));
	if (!index)
		return -ENOMEM;
	writer->index = index;
	index[writer->count++] = (struct trace_index_row){ .offset = writer->bytes,
							   .sequence = header->sequence,
							   .from_ns = header->from_ns,
							   .to_ns = header->to_ns };
	return 0;
}

static int add_block(struct file_writer *writer, struct trace_block *header,
		     const struct trace_payload *payload)
{
	header->sequence = writer->sequence;
	return add_index(writer, header) ?: write_block(writer, header, payload);
}

int file_writer_add(struct file_writer *writer, const struct profile *difference, const struct marks *marks,
		    const struct places *places, bool is_last)
{
	struct trace_block names = { .type = TRACE_BLOCK_NAMES };
	struct trace_block chunk = { .type = TRACE_BLOCK_CHUNK,
				     .from_ns = difference->window.start_ns,
				     .to_ns = difference->window.end_ns };
	struct trace_payload payload = { 0 }, figures = { 0 };
	int err = chunk_writer_name(&writer->chunks, difference, places, &payload) ?:
			  chunk_writer_make(difference, marks, is_last, &figures);

	if (!err && payload.size)
		err = add_block(writer, &names, &payload);
	if (!err)
		err = add_block(writer, &chunk, &figures);
	trace_payload_clear(&payload);
	trace_payload_clear(&figures);
	return err;
}

int file_writer_end(struct file_writer *writer)
{
	const struct trace_block header = { .type = TRACE_BLOCK_END, .sequence = writer->sequence };
	struct trace_payload payload = { 0 };
	int err;

	trace_payload_add(&payload, TRACE_INDEX, writer->index, sizeof(*writer->index), writer->count);
	err = write_block(writer, &header, &payload);
	trace_payload_clear(&payload);
	return err;
}

int file_writer_save(const struct kept_blocks *kept, int fd)
{
	struct file_writer writer = { .fd = fd };
	int err = 0;

	for (size_t i = 0; i < kept->count && !err; i++) {
		struct trace_block header = kept->items[i].header;

		header.sequence = writer.sequence;
		trace_block_renumber(kept->items[i].bytes, writer.sequence++);
		if (header.type != TRACE_BLOCK_HEAD)
			err = add_index(&writer, &header);
		err = err ?: append(&writer, kept->items[i].bytes, kept->items[i].size);
	}
	err = err ?: file_writer_end(&writer);
	file_writer_clear(&writer);
	return err;
}

void file_writer_clear(struct file_writer *writer)
{
	chunk_writer_clear(&writer->chunks);
	free(writer->index);
	*writer = (struct file_writer){ .fd = -1 };
}
