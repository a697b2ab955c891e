// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recording files of others, and all reports of them. An input changes bytes of a file, so that its blocks are damaged, or of
 * what blocks have in them, as somebody may have made them: then hashes are right.
 */
#include "changed_file.h"

#include <stdio.h>

#include "model/interval_sum.h"
#include "analysis/report.h"
#include "render/renderer.h"
#include "trace/file_reader.h"

#define BLOCKS 16

/* As they are in the file. */
static struct payload {
	uint8_t type;
	size_t size;
	uint8_t *bytes;
} payloads[BLOCKS];
static size_t payload_count;
static FILE *nowhere;

/* All that reading makes a report of. */
struct summing {
	struct interval_sum whole;
	struct chain_builder builder;
	const struct renderer_ops *format;
};

static const struct report_options everything = {
	.parts = REPORT_ALL & ~REPORT_NAMED_ALL,
	.top = REPORT_TOP_DEFAULT,
	.frequency = 199,
	.cpus = 2,
	.path = { .task = "*" },
	.width = REPORT_WIDTH_DEFAULT,
};

static void prepare(void)
{
	const uint8_t *at;
	size_t left;

	changed_file_read(&file, RECORDING);
	nowhere = fopen("/dev/null", "w");
	at = file.original;
	left = file.size;
	file.part_size = file.size;
	while (left && payload_count < BLOCKS) {
		struct payload *payload = &payloads[payload_count++];
		struct trace_block header;
		void *bytes;

		if (trace_block_header(at, left, &header) || trace_block_payload(at, &header, &bytes))
			abort();
		*payload = (struct payload){ header.type, (size_t)header.plain_bytes, bytes };
		at += trace_block_bytes(&header);
		left -= (size_t)trace_block_bytes(&header);
	}
	if (!nowhere || payload_count < 4)
		abort();
}

static int add(struct summing *summing, struct profile *difference)
{
	return chain_builder_add(&summing->builder, difference) ?:
		       chain_builder_explain(&summing->builder, &difference->window, difference->window.start_ns) ?:
		       interval_sum_add(&summing->whole, difference);
}

static void report(struct summing *summing, struct chunk_reader *chunks)
{
	const struct places *places = chunk_reader_places(chunks);
	struct report report = { 0 };

	if (interval_sum_is_empty(&summing->whole) || !places)
		return;
	if (!report_make(&summing->whole.profile, places, &everything, &summing->builder, &report))
		renderer_run(summing->format, &report, nowhere);
	report_clear(&report);
}

static void clear(struct summing *summing)
{
	interval_sum_clear(&summing->whole);
	chain_builder_clear(&summing->builder);
}

static void read_file(const struct renderer_ops *format, const uint8_t *data, size_t size)
{
	struct file_reader reader = { .fd = changed_file_open(&file, data, size) };
	struct summing summing = { .builder.explains = true, .format = format };
	int fd = reader.fd, state = file_reader_begin(&reader);

	while (state >= 0) {
		struct chunk chunk = { 0 };

		state = file_reader_next(&reader, &chunk);
		if (state > 0 && add(&summing, &chunk.difference))
			abort();
		chunk_clear(&chunk);
		if (state <= 0)
			break;
	}
	if (reader.flaws.at > file.size)
		abort();
	report(&summing, &reader.chunks);
	clear(&summing);
	file_reader_clear(&reader);
	close(fd);
}

static int read_payload(struct chunk_reader *reader, const struct payload *payload, const uint8_t *bytes,
			struct summing *summing)
{
	const struct trace_reading reading = { bytes, payload->size };
	struct chunk chunk = { 0 };
	uint64_t offset = 0;
	int err = 0;

	if (payload->type == TRACE_BLOCK_NAMES)
		err = chunk_reader_define(reader, &reading, &offset);
	else if (payload->type == TRACE_BLOCK_CHUNK)
		err = chunk_reader_take(reader, &reading, &chunk, &offset) ?: add(summing, &chunk.difference);
	if (offset > payload->size)
		abort();
	chunk_clear(&chunk);
	return err;
}

/* Three bytes of place in the payload of that number, and one of value, as often as there are. */
static void read_payloads(size_t which, const struct renderer_ops *format, const uint8_t *data, size_t size)
{
	const struct payload *chosen = &payloads[which % payload_count];
	struct summing summing = { .builder.explains = true, .format = format };
	uint8_t *changed = malloc(chosen->size + 1);
	struct chunk_reader reader = { 0 };

	if (!changed)
		abort();
	memcpy(changed, chosen->bytes, chosen->size);
	for (; size >= 4; data += 4, size -= 4)
		changed[((size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]) % chosen->size] = data[3];
	for (size_t i = 0; i < payload_count; i++) {
		const struct payload *payload = &payloads[i];

		read_payload(&reader, payload, payload == chosen ? changed : payload->bytes, &summing);
	}
	report(&summing, &reader);
	clear(&summing);
	chunk_reader_clear(&reader);
	free(changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct renderer_ops *const formats[] = { &renderer_text, &renderer_json,
							      &renderer_folded };
	const struct renderer_ops *format;

	if (size < 2)
		return 0;
	format = formats[data[0] % (sizeof(formats) / sizeof(*formats))];
	if (data[1] % 8)
		read_payloads(data[1] / 8, format, data + 2, size - 2);
	else
		read_file(format, data + 2, size - 2);
	return 0;
}
