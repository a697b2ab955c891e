// SPDX-License-Identifier: GPL-2.0-only
/* Recording files: whole, cut anywhere, damaged anywhere, and files that are none. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "synthetic.h"
#include "trace/file_reader.h"
#include "trace/file_writer.h"

#define CHUNKS 3

static const struct recording made = {
	.recorded = RECORDED_CALLS | RECORDED_SAMPLES,
	.machine = 62,
	.cpus = 4,
	.frequency = 199,
	.host = "here",
	.command_line = "scaler-bpf record -- true",
	.boot_id = { 1, 2, 3 },
};

/* A recording of some chunks: the head, the names, that come with the first chunk, the chunks, the end. */
enum { HEAD, NAMES, FIRST_CHUNK, END = FIRST_CHUNK + CHUNKS, BLOCKS };

/* The caller closes it; offsets of its blocks, and where the last one ends. */
static int make_file(uint64_t offsets[BLOCKS + 1])
{
	struct file_writer writer = { .fd = memfd_create("recording", MFD_CLOEXEC) };
	struct profile profile = { 0 };
	struct places places = { 0 };
	int fd = writer.fd;

	synthetic_profile(&profile);
	cr_assert_eq(file_writer_begin(&writer, &made), 0);
	for (int i = 0; i < CHUNKS; i++) {
		cr_assert_eq(file_writer_add(&writer, &profile, NULL, &places, i == CHUNKS - 1), 0);
		profile.window.start_ns = profile.window.end_ns++;
	}
	offsets[HEAD] = 0;
	cr_assert_eq(writer.count, END - NAMES);
	for (int i = NAMES; i < END; i++)
		offsets[i] = writer.index[i - NAMES].offset;
	offsets[END] = writer.bytes;
	cr_assert_eq(file_writer_end(&writer), 0);
	offsets[BLOCKS] = writer.bytes;
	file_writer_clear(&writer);
	profile_clear(&profile);
	places_clear(&places);
	return fd;
}

/* How many chunks can be read; the reader's flaws stay. Negative: an errno of the beginning. */
static int count_chunks(int fd, struct file_flaws *flaws)
{
	struct file_reader reader = { .fd = fd };
	int state = file_reader_begin(&reader), count = 0;

	while (state >= 0) {
		struct chunk chunk = { 0 };

		state = file_reader_next(&reader, &chunk);
		chunk_clear(&chunk);
		if (state <= 0)
			break;
		count++;
	}
	*flaws = reader.flaws;
	file_reader_clear(&reader);
	return state < 0 ? state : count;
}

Test(trace_file, whole)
{
	uint64_t offsets[BLOCKS + 1];
	int fd = make_file(offsets);
	struct file_reader reader = { .fd = fd };
	struct file_flaws flaws;

	cr_assert_eq(count_chunks(fd, &flaws), CHUNKS);
	cr_expect_eq(flaws.problem, TRACE_FINE);
	cr_expect(flaws.has_end);
	cr_assert_eq(file_reader_begin(&reader), 0);
	cr_expect_eq(reader.recording.recorded, made.recorded);
	cr_expect_eq(reader.recording.machine, 62);
	cr_expect_eq(reader.recording.cpus, 4);
	cr_expect_str_eq(reader.recording.host, made.host);
	cr_expect_str_eq(reader.recording.command_line, made.command_line);
	cr_expect_null(reader.recording.syscalls);
	cr_expect_eq(memcmp(reader.recording.boot_id, made.boot_id, sizeof(made.boot_id)), 0);
	file_reader_clear(&reader);
	close(fd);
}

/* Wherever it is cut, all chunks before can be read. */
Test(trace_file, cut)
{
	uint64_t offsets[BLOCKS + 1];
	int fd = make_file(offsets);

	for (uint64_t size = offsets[BLOCKS]; size-- > 0;) {
		struct file_flaws flaws;
		int whole = 0, count;

		cr_assert_eq(ftruncate(fd, (off_t)size), 0);
		while (whole < CHUNKS && offsets[FIRST_CHUNK + whole + 1] <= size)
			whole++;
		count = count_chunks(fd, &flaws);
		cr_assert_eq(count, size < offsets[NAMES] ? -EBADMSG : whole, "%lu: %d", size, count);
		cr_assert(!flaws.has_end);
		cr_assert_eq(flaws.lost, 0);
	}
	close(fd);
}

static void change_byte(int fd, uint64_t at)
{
	uint8_t byte;

	cr_assert_eq(pread(fd, &byte, 1, (off_t)at), 1);
	byte ^= 0x40;
	cr_assert_eq(pwrite(fd, &byte, 1, (off_t)at), 1);
}

/* Whichever byte is damaged, all other chunks can be read, and the one that cannot is counted. */
Test(trace_file, damaged)
{
	uint64_t offsets[BLOCKS + 1];
	int fd = make_file(offsets);

	for (uint64_t at = 0; at < offsets[BLOCKS]; at += at < 300 ? 1 : 7) {
		struct file_flaws flaws;
		int block = 0, count;

		while (offsets[block + 1] <= at)
			block++;
		change_byte(fd, at);
		count = count_chunks(fd, &flaws);
		change_byte(fd, at);
		/* Zeros behind a payload mean nothing. */
		if (flaws.problem == TRACE_FINE) {
			cr_expect_eq(count, CHUNKS);
			cr_expect_geq(at + 8, offsets[block + 1]);
		} else if (!block) {
			cr_expect_eq(count, -EBADMSG, "%lu: %d", at, count);
		} else {
			cr_expect_eq(count, block >= FIRST_CHUNK && block < END ? CHUNKS - 1 : CHUNKS,
				     "%lu: %d", at, count);
			cr_expect_eq(flaws.at, offsets[block]);
			cr_expect_eq(flaws.lost, block < END);
			cr_expect_eq(flaws.has_end, block < END);
		}
	}
	close(fd);
}

/* Bytes between blocks that are no block's, and a block that comes twice. */
Test(trace_file, strange_blocks)
{
	uint64_t offsets[BLOCKS + 1];
	int fd = make_file(offsets), other = memfd_create("other", MFD_CLOEXEC);
	struct file_flaws flaws;
	static const char magics[] = TRACE_MAGIC TRACE_MAGIC "\x9bscal";
	char *bytes = malloc(offsets[BLOCKS]);

	cr_assert_eq(pread(fd, bytes, offsets[BLOCKS], 0), (ssize_t)offsets[BLOCKS]);
	for (int i = 0; i < BLOCKS; i++) {
		size_t size = offsets[i + 1] - offsets[i];

		for (int times = 0; times < 2; times++)
			cr_assert_eq(write(other, bytes + offsets[i], size), (ssize_t)size);
		cr_assert_eq(write(other, magics, sizeof(magics)), sizeof(magics));
	}
	cr_assert_eq(count_chunks(other, &flaws), CHUNKS);
	cr_expect_eq(flaws.problem, TRACE_OTHER_FILE);
	cr_expect_eq(flaws.lost, 0);
	cr_expect(flaws.has_end);
	free(bytes);
	close(fd);
	close(other);
}

Test(trace_file, no_recordings)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum trace_problem problem;
	} cases[] = {
		{ "", 0, TRACE_CUT },
		{ "#!/bin/sh\n", 10, TRACE_NO_BLOCK },
		{ TRACE_MAGIC, 8, TRACE_CUT },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int fd = memfd_create("none", MFD_CLOEXEC);
		struct file_flaws flaws;

		cr_assert_eq(write(fd, cases[i].bytes, cases[i].size), (ssize_t)cases[i].size);
		cr_expect_eq(count_chunks(fd, &flaws), -EBADMSG);
		cr_expect_eq(flaws.problem, cases[i].problem, "%zu: %d", i, flaws.problem);
		close(fd);
	}
}

/* A later version's is refused as such. */
Test(trace_file, newer)
{
	uint64_t offsets[BLOCKS + 1];
	int fd = make_file(offsets);
	struct file_flaws flaws;
	uint16_t major = TRACE_MAJOR + 1;

	cr_assert_eq(pwrite(fd, &major, sizeof(major), offsetof(struct trace_block, major)), sizeof(major));
	cr_expect_eq(count_chunks(fd, &flaws), -EBADMSG);
	cr_expect_eq(flaws.problem, TRACE_NEWER);
	close(fd);
}

/* A disk that is full: what is there ends with a whole block. */
Test(trace_file, no_room)
{
	struct file_writer writer = { .fd = memfd_create("small", MFD_CLOEXEC | MFD_ALLOW_SEALING) };
	struct profile profile = { 0 };
	struct places places = { 0 };
	struct file_flaws flaws;
	int fd = writer.fd;

	synthetic_profile(&profile);
	cr_assert_eq(file_writer_begin(&writer, &made), 0);
	cr_assert_eq(file_writer_add(&writer, &profile, NULL, &places, false), 0);
	profile.window.start_ns = profile.window.end_ns;
	cr_assert_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW), 0);
	cr_expect_eq(file_writer_add(&writer, &profile, NULL, &places, false), -EPERM);
	cr_expect_eq(lseek(fd, 0, SEEK_END), (off_t)writer.bytes);
	cr_expect_eq(count_chunks(fd, &flaws), 1);
	cr_expect(!flaws.has_end);
	file_writer_clear(&writer);
	profile_clear(&profile);
	close(fd);
}

static uint64_t window_of(int fd, size_t *chunks)
{
	struct file_reader reader = { .fd = fd };
	uint64_t from_ns = 0;

	*chunks = 0;
	cr_assert_eq(file_reader_begin(&reader), 0);
	for (int state = 1; state > 0;) {
		struct chunk chunk = { 0 };

		state = file_reader_next(&reader, &chunk);
		cr_assert_geq(state, 0);
		if (state && !(*chunks)++)
			from_ns = chunk.difference.window.start_ns;
		/* What it refers to is there, though the chunk that it came with is not. */
		cr_assert(!state || chunk.difference.stacks.count);
		chunk_clear(&chunk);
	}
	cr_expect(reader.flaws.has_end);
	cr_expect_eq(reader.flaws.problem, TRACE_FINE);
	cr_expect_eq(reader.flaws.lost, 0);
	file_reader_clear(&reader);
	return from_ns;
}

#define MANY 50

/* Of many chunks of 10 ns each. */
static void keep(struct kept_blocks *kept)
{
	struct file_writer writer = { .fd = -1, .kept = kept };
	struct profile profile = { 0 };
	struct places places = { 0 };

	synthetic_profile(&profile);
	cr_assert_eq(file_writer_begin(&writer, &made), 0);
	for (uint64_t i = 0; i < MANY; i++) {
		profile.window = (struct scaler_window){ 10 * i, 10 * i + 10, (uint32_t)i, 0 };
		cr_assert_eq(file_writer_add(&writer, &profile, NULL, &places, i == MANY - 1), 0);
	}
	file_writer_clear(&writer);
	profile_clear(&profile);
	places_clear(&places);
}

/* A flight recorder has the last chunks, each whole, and the names of all. */
Test(trace_file, kept_time)
{
	struct kept_blocks kept = { .keep_ns = 70 };
	int fd = memfd_create("kept", MFD_CLOEXEC);
	size_t chunks;

	keep(&kept);
	cr_expect_eq(kept_blocks_from_ns(&kept), 10 * MANY - 80);
	cr_assert_eq(file_writer_save(&kept, fd), 0);
	cr_expect_eq(window_of(fd, &chunks), 10 * MANY - 80);
	cr_expect_eq(chunks, 8);
	/* It can be saved again. */
	cr_assert_eq(ftruncate(fd, 0), 0);
	cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
	cr_assert_eq(file_writer_save(&kept, fd), 0);
	cr_expect_eq(window_of(fd, &chunks), 10 * MANY - 80);
	kept_blocks_clear(&kept);
	close(fd);
}

Test(trace_file, kept_bytes)
{
	struct kept_blocks kept = { .keep_bytes = 0 };
	int fd = memfd_create("kept", MFD_CLOEXEC);
	uint64_t all;
	size_t chunks;

	keep(&kept);
	all = kept.bytes;
	kept_blocks_clear(&kept);
	kept.keep_bytes = all / 2;
	keep(&kept);
	cr_expect_leq(kept.bytes, all / 2);
	cr_expect_gt(kept.bytes, all / 3);
	cr_assert_eq(file_writer_save(&kept, fd), 0);
	window_of(fd, &chunks);
	cr_expect_lt(chunks, MANY / 2 + 1);
	kept_blocks_clear(&kept);
	/* The last chunk and the names stay, however little is to be kept. */
	kept.keep_bytes = 1;
	keep(&kept);
	cr_assert_eq(ftruncate(fd, 0), 0);
	cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
	cr_assert_eq(file_writer_save(&kept, fd), 0);
	cr_expect_eq(window_of(fd, &chunks), 10 * MANY - 10);
	cr_expect_eq(chunks, 1);
	kept_blocks_clear(&kept);
	close(fd);
}
