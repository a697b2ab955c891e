// SPDX-License-Identifier: GPL-2.0-only
/* The recording file: blocks, sections, chunks; and what is made of bytes that are none. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/row_order.h"
#include "synthetic.h"
#include "trace/block.h"
#include "trace/chunk_reader.h"
#include "trace/chunk_writer.h"

struct row {
	uint64_t number;
	uint32_t half;
	uint32_t other;
};

static void fill(struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct row){ 0x0102030405060708 * (i + 1), (uint32_t)i, ~(uint32_t)i };
}

/* Of few rows as they are, and of many by planes. */
Test(trace, rows_come_back)
{
	static const size_t counts[] = { 1, 3, 100 };
	struct row made[100];

	fill(made, ARRAY_SIZE(made));
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct trace_payload payload = { 0 };
		struct trace_reading reading;
		uint64_t offset;
		size_t count;
		void *rows;

		trace_payload_add(&payload, TRACE_THREADS, made, sizeof(*made), counts[i]);
		trace_payload_add(&payload, TRACE_STRINGS, "\0text", 1, 6);
		reading = (struct trace_reading){ payload.bytes, payload.size };
		cr_assert_eq(payload.size % 8, 0);
		cr_assert_eq(
			trace_reading_take(&reading, TRACE_THREADS, sizeof(*made), &rows, &count, &offset),
			0);
		cr_assert_eq(count, counts[i]);
		cr_assert_eq(memcmp(rows, made, count * sizeof(*made)), 0);
		free(rows);
		cr_assert_eq(trace_reading_take(&reading, TRACE_STRINGS, 1, &rows, &count, &offset), 0);
		cr_assert_eq(count, 6);
		cr_assert_str_eq((char *)rows + 1, "text");
		free(rows);
		cr_assert_eq(trace_reading_take(&reading, TRACE_CALLS, 8, &rows, &count, &offset), 0);
		cr_assert_eq(count, 0);
		free(rows);
		trace_payload_clear(&payload);
	}
}

/* A later version's rows have more, an earlier one's less. */
Test(trace, rows_of_other_sizes)
{
	struct row made[40], *rows;
	struct trace_payload payload = { 0 };
	struct trace_reading reading;
	uint64_t offset, *numbers;
	size_t count;
	void *taken;

	fill(made, ARRAY_SIZE(made));
	trace_payload_add(&payload, TRACE_THREADS, made, sizeof(*made), 40);
	trace_payload_add(&payload, TRACE_KIND_COUNT, made, sizeof(*made), 2);
	reading = (struct trace_reading){ payload.bytes, payload.size };
	cr_assert_eq(trace_reading_unknown(&reading), 1);
	cr_assert_eq(trace_reading_take(&reading, TRACE_THREADS, sizeof(uint64_t), &taken, &count, &offset),
		     0);
	numbers = taken;
	for (size_t i = 0; i < count; i++)
		cr_expect_eq(numbers[i], made[i].number);
	free(taken);
	trace_payload_clear(&payload);
	trace_payload_add(&payload, TRACE_THREADS, made, 12, 3);
	reading = (struct trace_reading){ payload.bytes, payload.size };
	cr_assert_eq(trace_reading_take(&reading, TRACE_THREADS, sizeof(*rows), &taken, &count, &offset), 0);
	rows = taken;
	cr_assert_eq(rows[0].number, made[0].number);
	cr_assert_eq(rows[0].other, 0);
	free(taken);
	trace_payload_clear(&payload);
}

Test(trace, sections_are_not_believed)
{
	static const struct trace_section bad[] = {
		{ .kind = TRACE_THREADS, .row_bytes = 8, .count = 3 },
		{ .kind = TRACE_THREADS, .row_bytes = 0, .count = 1 },
		{ .kind = TRACE_THREADS, .row_bytes = 8, .count = UINT64_MAX },
		{ .kind = TRACE_THREADS, .row_bytes = UINT32_MAX, .count = UINT64_MAX / 2 },
		{ .kind = TRACE_THREADS, .layout = 2, .row_bytes = 8, .count = 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		uint64_t bytes[4] = { 0 }, offset;
		struct trace_reading reading = { (uint8_t *)bytes, sizeof(bytes) };
		size_t count;
		void *rows;

		memcpy(bytes, &bad[i], sizeof(bad[i]));
		cr_expect_eq(trace_reading_take(&reading, TRACE_CALLS, 8, &rows, &count, &offset), -EBADMSG,
			     "%zu", i);
		cr_expect_eq(offset, 0);
		cr_expect_null(rows);
	}
}

/* Each byte of a block that is changed is noticed, and wherever it is cut. */
Test(trace, damage_is_noticed)
{
	static const char text[] = "what is to be kept, what is to be kept, what is to be kept";
	const struct trace_block made = {
		.type = TRACE_BLOCK_CHUNK, .sequence = 7, .from_ns = 1, .to_ns = 2
	};
	struct trace_block header;
	size_t bytes;
	char *block = trace_block_pack(&made, text, sizeof(text), &bytes);
	void *payload;

	cr_assert_eq(trace_block_header(block, bytes, &header), TRACE_FINE);
	cr_assert_eq(header.sequence, 7);
	cr_assert_eq(trace_block_payload(block, &header, &payload), TRACE_FINE);
	cr_assert_str_eq(payload, text);
	free(payload);
	for (size_t at = 0; at < header.header_bytes + header.stored_bytes; at++) {
		enum trace_problem problem;

		block[at] ^= 0x10;
		problem = trace_block_header(block, bytes, &header) ?:
				  trace_block_payload(block, &header, &payload);
		cr_expect_neq(problem, TRACE_FINE, "byte %zu", at);
		block[at] ^= 0x10;
	}
	for (size_t size = 0; size < bytes; size++)
		cr_expect_eq(trace_block_header(block, size, &header), TRACE_CUT, "%zu", size);
	free(block);
}

/* What was written and read gives the report that it gives without that. */
Test(trace, chunks_come_back)
{
	static const char *const formats[] = { "text", "json", "folded" };
	struct profile profile = { 0 }, again = { 0 };
	struct marks marks = { 0 };
	struct chunk chunk = { 0 };
	struct report report;
	const struct places *places, *written_places;
	char *before[ARRAY_SIZE(formats)];
	struct chunk_writer writer = { 0 };
	struct chunk_reader reader = { 0 };
	struct trace_payload payload = { 0 }, names = { 0 };
	struct trace_reading reading;
	uint64_t offset;
	size_t first_size;

	synthetic_profile(&profile);
	synthetic_profile(&again);
	cr_assert_eq(marks_add(&marks, MARK_END, 17, "warm\nup"), 0);
	/* As a reader puts them. */
	row_order_sort(&profile);
	cr_assert_eq(synthetic_report(&profile, &synthetic_everything, &report), 0);
	written_places = report.places;
	cr_assert_eq(chunk_writer_name(&writer, &again, written_places, &names), 0);
	cr_assert_eq(chunk_writer_make(&again, &marks, true, &payload), 0);
	reading = (struct trace_reading){ names.bytes, names.size };
	cr_assert_eq(chunk_reader_define(&reader, &reading, &offset), 0);
	reading = (struct trace_reading){ payload.bytes, payload.size };
	cr_assert_eq(chunk_reader_take(&reader, &reading, &chunk, &offset), 0);
	cr_assert(reader.is_last);
	cr_assert_eq(chunk.marks.count, 1);
	cr_expect_eq(chunk.marks.items[0].kind, MARK_END);
	cr_expect_eq(chunk.marks.items[0].time_ns, 17);
	cr_expect_str_eq(chunk.marks.items[0].name, "warm\nup");
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		before[i] = synthetic_render(formats[i], &report);
	report_clear(&report);
	places = chunk_reader_places(&reader);
	cr_assert(places);
	cr_assert_eq(synthetic_report_by(&chunk.difference, places, &synthetic_everything, &report), 0);
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		char *after = synthetic_render(formats[i], &report);

		cr_expect(!strcmp(after, before[i]), "%s: %s", formats[i], after);
		free(before[i]);
		free(after);
	}
	/* Names are written once. */
	first_size = names.size;
	trace_payload_clear(&names);
	cr_assert_eq(chunk_writer_name(&writer, &again, written_places, &names), 0);
	cr_expect_lt(names.size, first_size / 4);
	report_clear(&report);
	profile_clear(&profile);
	chunk_clear(&chunk);
	marks_clear(&marks);
	profile_clear(&again);
	trace_payload_clear(&payload);
	trace_payload_clear(&names);
	chunk_writer_clear(&writer);
	chunk_reader_clear(&reader);
}
