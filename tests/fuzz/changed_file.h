/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files that are nearly right. An input is a list of changes to one that the unit tests read: two bytes of place, one
 * of value. Half of the places are in the part of the file that the fuzzer is about. All that fuzzers have in common.
 */
#ifndef SCALER_TESTS_CHANGED_FILE_H
#define SCALER_TESTS_CHANGED_FILE_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct changed_file {
	uint8_t original[65536];
	uint8_t changed[65536];
	size_t size;
	size_t part_at;
	size_t part_size; /* 0: the first half of the places is anywhere too */
};

static inline void changed_file_read(struct changed_file *file, const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t size = read(fd, file->original, sizeof(file->original));

	close(fd);
	if (size < 1000 || size == sizeof(file->original))
		abort();
	file->size = (size_t)size;
}

/* A descriptor of the file as the input has it, which the caller closes. */
static inline int changed_file_open(struct changed_file *file, const uint8_t *data, size_t size)
{
	int fd = memfd_create("changed", MFD_CLOEXEC);

	memcpy(file->changed, file->original, file->size);
	for (; size >= 3; data += 3, size -= 3) {
		size_t place = (size_t)(data[0] & 0x7f) << 8 | data[1];

		if (data[0] & 0x80)
			file->changed[file->part_at + place % file->part_size] = data[2];
		else
			file->changed[place % file->size] = data[2];
	}
	if (fd < 0 || write(fd, file->changed, file->size) != (ssize_t)file->size)
		abort();
	return fd;
}

/* The fuzzer's own. */
static struct changed_file file;

/* Reads it, and chooses the part; each fuzzer has one. */
static void prepare(void);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	prepare();
	return 0;
}

#endif
