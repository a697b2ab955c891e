// SPDX-License-Identifier: GPL-2.0-only
/* ELF files as they should be, as libdw reads them, and as nobody should make them. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "elf/elf_file.h"

static int make_file(const void *bytes, size_t size)
{
	int fd = memfd_create("file", MFD_CLOEXEC);

	cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
	return fd;
}

/* A header, segments of notes, and one note behind them. */
struct noted_file {
	Elf64_Ehdr header;
	Elf64_Phdr segments[60];
	Elf64_Nhdr note;
	char owner[4];
	uint8_t build_id[8];
};

static struct noted_file make_noted(size_t segments)
{
	struct noted_file made = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN,
			.e_machine = EM_X86_64,
			.e_phoff = offsetof(struct noted_file, segments),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = (uint16_t)segments,
		},
		.note = { sizeof(made.owner), sizeof(made.build_id), NT_GNU_BUILD_ID },
		.owner = "GNU",
		.build_id = { 1, 2, 3, 4, 5, 6, 7, 8 },
	};

	for (size_t i = 0; i < segments; i++) {
		made.segments[i] = (Elf64_Phdr){
			.p_type = PT_NOTE,
			.p_offset = offsetof(struct noted_file, note),
			.p_filesz = sizeof(made) - offsetof(struct noted_file, note),
			.p_align = 4,
		};
	}
	return made;
}

static size_t read_build_id(int fd, uint8_t build_id[ELF_BUILD_ID_MAX])
{
	struct elf_file file;
	uint64_t loaded;
	size_t size;

	cr_assert_eq(elf_file_open(&file, fd), 0);
	loaded = file.loaded;
	size = elf_file_build_id(&file, build_id);
	cr_assert_eq(file.loaded, loaded);
	elf_file_close(&file);
	return size;
}

Test(elf_file, build_id_as_libdw_finds_it)
{
	static const char *const paths[] = { "/proc/self/exe", "/bin/sh", "/lib64/ld-linux-x86-64.so.2" };
	uint8_t build_id[ELF_BUILD_ID_MAX];
	const void *known;

	elf_version(EV_CURRENT);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
		ssize_t size = dwelf_elf_gnu_build_id(elf, &known);

		cr_assert_gt(size, 0);
		cr_assert_eq(read_build_id(fd, build_id), (size_t)size);
		cr_assert_arr_eq(build_id, known, (size_t)size);
		elf_end(elf);
		close(fd);
	}
}

/* Also from one with its segments behind its end, and from its parts. */
Test(elf_file, file_that_ends_anywhere)
{
	struct noted_file made = make_noted(2);
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t found = 0;

	for (size_t size = 0; size <= sizeof(made); size++) {
		int fd = make_file(&made, size);
		struct elf_file file;
		int err = elf_file_open(&file, fd);

		cr_assert(!err || err == -ENOEXEC, "%zu: %d", size, err);
		if (!err) {
			found = elf_file_build_id(&file, build_id);
			cr_assert(!found || size == sizeof(made), "%zu", size);
			elf_file_close(&file);
		}
		close(fd);
	}
	cr_assert_eq(found, sizeof(made.build_id));
	cr_assert_arr_eq(build_id, made.build_id, sizeof(made.build_id));
}

Test(elf_file, truncated_while_it_is_open)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), copy;
	static char bytes[1 << 20];
	struct elf_file file;
	struct elf_bytes loaded;

	copy = make_file(bytes, (size_t)read(fd, bytes, sizeof(bytes)));
	cr_assert_eq(elf_file_open(&file, copy), 0);
	cr_assert_eq(ftruncate(copy, 100), 0);
	cr_assert(!elf_file_copy(&file, ELF_BLOCK_SIZE, bytes, 8));
	cr_assert(!elf_file_copy(&file, 0, bytes, 2 * ELF_BLOCK_SIZE));
	cr_assert(elf_file_copy(&file, 0, bytes, 100));
	cr_assert_eq(elf_file_load(&file, 0, sizeof(bytes), &loaded), 0);
	cr_assert_eq(loaded.size, 100);
	elf_file_unload(&file, &loaded);
	elf_file_close(&file);
	close(copy);
	close(fd);
}

/* 60 headers of notes over 200 MB of nothing. */
Test(elf_file, notes_are_limited)
{
	struct noted_file made = make_noted(60);
	struct rusage before, after;
	uint8_t build_id[ELF_BUILD_ID_MAX];
	int fd;

	for (int i = 0; i < 60; i++) {
		made.segments[i].p_offset = sizeof(made) + (size_t)i;
		made.segments[i].p_filesz = 200 << 20;
	}
	fd = make_file(&made, sizeof(made));
	cr_assert_eq(ftruncate(fd, 200 << 20), 0);
	getrusage(RUSAGE_SELF, &before);
	cr_assert_eq(read_build_id(fd, build_id), 0);
	getrusage(RUSAGE_SELF, &after);
	cr_assert_lt(after.ru_maxrss - before.ru_maxrss, 16 << 10);
	close(fd);
}

Test(elf_file, more_than_is_kept_is_refused)
{
	struct noted_file made = make_noted(1);
	int fd = make_file(&made, sizeof(made));
	struct elf_bytes loaded;
	struct elf_file file;

	cr_assert_eq(ftruncate(fd, 1LL << 32), 0);
	cr_assert_eq(elf_file_open(&file, fd), 0);
	cr_assert_eq(elf_file_load(&file, 0, UINT64_MAX, &loaded), 0);
	cr_assert_eq(loaded.size, 0);
	elf_file_unload(&file, &loaded);
	cr_assert_eq(elf_file_load(&file, UINT64_MAX, UINT64_MAX, &loaded), 0);
	cr_assert_eq(loaded.size, 0);
	elf_file_unload(&file, &loaded);
	elf_file_close(&file);
	close(fd);
}

Test(elf_file, of_32_bits)
{
	struct {
		Elf32_Ehdr header;
		Elf32_Phdr segment;
	} made = {
		.header = {
			.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT },
			.e_machine = EM_386,
			.e_entry = 0x1234,
			.e_phoff = sizeof(Elf32_Ehdr),
			.e_phnum = 1,
		},
		.segment = { .p_type = PT_LOAD, .p_offset = 0x10, .p_vaddr = 0x8000, .p_filesz = 0x20 },
	};
	int fd = make_file(&made, sizeof(made));
	struct elf_file file;
	uint64_t offset;

	cr_assert_eq(elf_file_open(&file, fd), 0);
	cr_assert_eq(file.machine, EM_386);
	cr_assert_eq(file.entry, 0x1234);
	cr_assert(elf_file_offset(&file, 0x8005, &offset));
	cr_assert_eq(offset, 0x15);
	cr_assert(!elf_file_offset(&file, 0x8020, &offset));
	elf_file_close(&file);
	close(fd);
}

/* What random reads give is what one reading gives. */
Test(elf_file, blocks)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	unsigned char piece[300];
	struct elf_bytes loaded;
	struct elf_file file;

	cr_assert_eq(elf_file_open(&file, fd), 0);
	cr_assert_eq(elf_file_load(&file, 0, 1 << 20, &loaded), 0);
	for (size_t i = 0; i < 20000; i++) {
		size_t at = i * 7919 % (loaded.size - sizeof(piece)), size = i % sizeof(piece);

		cr_assert(elf_file_copy(&file, at, piece, size));
		cr_assert_arr_eq(piece, loaded.bytes + at, size);
	}
	elf_file_unload(&file, &loaded);
	elf_file_close(&file);
	close(fd);
}
