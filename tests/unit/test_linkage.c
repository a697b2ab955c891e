// SPDX-License-Identifier: GPL-2.0-only
/* What files export and import: this program's libraries, files without sections, files that lie. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/globs.h"
#include "code/call_targets.h"
#include "elf/linkage.h"
#include "target/program_files.h"

#define FILE_LIMIT (1 << 16)

static int read_bytes(struct linkage *linkage, const unsigned char *bytes, size_t size)
{
	int fd = memfd_create("crafted", MFD_CLOEXEC), err;

	cr_assert_eq(write(fd, bytes, size), (ssize_t)size);
	err = linkage_read(linkage, fd);
	close(fd);
	return err;
}

static void read_path(struct linkage *linkage, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	cr_assert_eq(linkage_read(linkage, fd), 0, "%s", path);
	close(fd);
}

static size_t load(const char *path, unsigned char bytes[FILE_LIMIT])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t size = read(fd, bytes, FILE_LIMIT);

	cr_assert(size > 1000 && size < FILE_LIMIT, "%s", path);
	close(fd);
	return (size_t)size;
}

static const struct linkage_export *find_export(const struct linkage *linkage, const char *name,
						const char *version)
{
	for (size_t i = 0; i < linkage->export_count; i++) {
		if (!strcmp(linkage->exports[i].name, name) && !strcmp(linkage->exports[i].version, version))
			return &linkage->exports[i];
	}
	return NULL;
}

static const struct linkage_import *find_import(const struct linkage *linkage, const char *name)
{
	for (size_t i = 0; i < linkage->import_count; i++) {
		if (!strcmp(linkage->imports[i].name, name))
			return &linkage->imports[i];
	}
	return NULL;
}

/* A symbol of readelf's table; -1: the line has none. */
static int parse_symbol(const char *line, uint64_t *address, char name[200], bool *is_function,
			bool *is_undefined)
{
	char type[16], bind[16], section[16];

	if (sscanf(line, " %*u: %" SCNx64 " %*s %15s %15s %*s %15s %199s", address, type, bind, section,
		   name) != 5)
		return -1;
	*is_function = !strcmp(type, "FUNC") || !strcmp(type, "IFUNC");
	*is_undefined = !strcmp(section, "UND");
	return strcmp(bind, "LOCAL") ? 0 : -1;
}

static void expect_symbol(const struct linkage *linkage, const char *line, size_t counts[2])
{
	bool is_function, is_undefined;
	char text[200], *name = text, *version;
	const struct linkage_export *found;
	uint64_t address;

	if (parse_symbol(line, &address, text, &is_function, &is_undefined) || !is_function)
		return;
	counts[is_undefined]++;
	version = strchr(name, '@');
	if (version)
		*version++ = '\0';
	if (is_undefined) {
		cr_expect(find_import(linkage, name), "%s", line);
		return;
	}
	found = find_export(linkage, name, version ? version + (*version == '@') : "");
	cr_assert(found, "%s", line);
	cr_expect_eq(found->address ?: found->resolver, address, "%s", line);
	cr_expect_eq(found->is_default, !version || *version == '@', "%s", line);
	cr_expect_eq(!!found->resolver, !!strstr(line, " IFUNC "), "%s", line);
}

/* Every function that readelf prints, and no other. */
static void expect_as_readelf(const char *path, size_t exports_at_least)
{
	size_t counts[2] = { 0 };
	struct linkage linkage;
	char command[256], line[512];
	FILE *readelf;

	read_path(&linkage, path);
	snprintf(command, sizeof(command), "readelf -W --dyn-syms %s", path);
	readelf = popen(command, "re");
	cr_assert_not_null(readelf);
	while (fgets(line, sizeof(line), readelf))
		expect_symbol(&linkage, line, counts);
	pclose(readelf);
	cr_expect_eq(linkage.export_count, counts[0], "%s: %zu, %zu", path, linkage.export_count, counts[0]);
	cr_expect_geq(counts[0], exports_at_least);
	/* Beside those of no type there are its own that have relocations. */
	cr_expect_geq(linkage.import_count, counts[1]);
	linkage_clear(&linkage);
}

Test(linkage, same_functions_as_binutils)
{
	expect_as_readelf("/lib/x86_64-linux-gnu/libc.so.6", 2000);
	expect_as_readelf("/lib/x86_64-linux-gnu/libstdc++.so.6", 4000);
	expect_as_readelf("/lib64/ld-linux-x86-64.so.2", 10);
	expect_as_readelf("/usr/bin/python3", 1000);
	expect_as_readelf("/usr/bin/sqlite3", 0);
	expect_as_readelf(LIBRARY, 1);
}

Test(linkage, interpreter)
{
	struct linkage linkage;

	read_path(&linkage, "/usr/bin/env");
	cr_expect_str_eq(linkage.interpreter, "/lib64/ld-linux-x86-64.so.2");
	cr_expect(find_import(&linkage, "execvp"));
	linkage_clear(&linkage);
	read_path(&linkage, "/lib/x86_64-linux-gnu/libz.so.1");
	cr_expect_null(linkage.interpreter);
	linkage_clear(&linkage);
}

Test(linkage, static_program)
{
	struct linkage linkage;

	read_path(&linkage, STATIC_PROGRAM);
	cr_expect_eq(linkage.export_count, 0);
	cr_expect_eq(linkage.import_count, 0);
	cr_expect_null(linkage.interpreter);
	linkage_clear(&linkage);
}

Test(linkage, without_section_headers)
{
	static unsigned char bytes[FILE_LIMIT];
	size_t size = load(LIBRARY, bytes);
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
	struct linkage with, without;

	cr_assert_eq(read_bytes(&with, bytes, size), 0);
	memset(bytes + header->e_shoff, 0xff, size - header->e_shoff);
	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = 0;
	cr_assert_eq(read_bytes(&without, bytes, size), 0);
	cr_assert(find_export(&without, "first_call", ""));
	cr_expect_eq(with.export_count, without.export_count);
	cr_expect_eq(with.import_count, without.import_count);
	for (size_t i = 0; i < with.import_count; i++)
		cr_expect_str_eq(with.imports[i].name, without.imports[i].name);
	linkage_clear(&with);
	linkage_clear(&without);
}

Test(linkage, of_another_machine)
{
	static unsigned char bytes[FILE_LIMIT];
	size_t size = load(LIBRARY, bytes);
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
	struct linkage linkage;

	header->e_machine = EM_RISCV;
	cr_expect_eq(read_bytes(&linkage, bytes, size), -ENOTSUP);
	linkage_clear(&linkage);
	header->e_machine = EM_X86_64;
	header->e_ident[EI_CLASS] = ELFCLASS32;
	cr_expect_neq(read_bytes(&linkage, bytes, size), 0);
	linkage_clear(&linkage);
	cr_expect_eq(read_bytes(&linkage, (const unsigned char *)"text", 4), -ENOEXEC);
	linkage_clear(&linkage);
	cr_expect_eq(read_bytes(&linkage, bytes, 0), -ENOEXEC);
	linkage_clear(&linkage);
}

/* What an entry of the dynamic section says, changed. */
static void set_entry(unsigned char *bytes, int64_t tag, uint64_t value)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
	const Elf64_Phdr *segments = (const Elf64_Phdr *)(bytes + header->e_phoff);

	for (int i = 0; i < header->e_phnum; i++) {
		Elf64_Dyn *entries = (Elf64_Dyn *)(bytes + segments[i].p_offset);

		for (size_t j = 0;
		     segments[i].p_type == PT_DYNAMIC && j < segments[i].p_filesz / sizeof(*entries); j++) {
			if (entries[j].d_tag == tag)
				entries[j].d_un.d_val = value;
		}
	}
}

/* Tables that are said to be as large as nothing is, or to be nowhere. */
Test(linkage, huge_tables)
{
	static const int64_t tags[] = { DT_STRTAB, DT_STRSZ,   DT_SYMTAB,    DT_GNU_HASH,
					DT_RELA,   DT_RELASZ,  DT_JMPREL,    DT_PLTRELSZ,
					DT_VERSYM, DT_VERNEED, DT_VERNEEDNUM };
	static const uint64_t values[] = { 0, 1, 0x1000, UINT32_MAX, INT64_MAX, UINT64_MAX };
	static unsigned char bytes[FILE_LIMIT];

	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++) {
		for (size_t j = 0; j < sizeof(values) / sizeof(*values); j++) {
			size_t size = load(LIBRARY, bytes);
			struct linkage linkage;

			set_entry(bytes, tags[i], values[j]);
			cr_expect_eq(read_bytes(&linkage, bytes, size), 0);
			linkage_clear(&linkage);
		}
	}
}

/* Cut at every size and with bytes changed at random: no crash, and what is found is code. */
Test(linkage, lying_files)
{
	static unsigned char bytes[FILE_LIMIT], broken[FILE_LIMIT];
	size_t size = load(LIBRARY, bytes);
	struct linkage linkage;

	for (size_t length = 1; length < size; length += 61) {
		read_bytes(&linkage, bytes, length);
		linkage_clear(&linkage);
	}
	srand(1);
	for (int round = 0; round < 4000; round++) {
		memcpy(broken, bytes, size);
		/* Half of the changes in the headers and the tables behind them, where they do the most harm. */
		for (int i = 0; i < 8; i++)
			broken[(size_t)rand() % (i % 2 ? size : 2048)] = (unsigned char)rand();
		read_bytes(&linkage, broken, size);
		for (size_t i = 0; i < linkage.export_count; i++)
			cr_assert(linkage_is_code(&linkage,
						  linkage.exports[i].address ?: linkage.exports[i].resolver));
		linkage_clear(&linkage);
	}
}

Test(linkage, references)
{
	const struct linkage_export old = { .name = "f", .version = "V1" };
	const struct linkage_export new = { .name = "f", .version = "V2", .is_default = true };
	const struct linkage_export plain = { .name = "f", .version = "", .is_default = true };

	cr_expect(linkage_matches(&old, "f", "V1") && !linkage_matches(&old, "f", "V2"));
	cr_expect(linkage_matches(&new, "f", "V2") && !linkage_matches(&new, "f", "V1"));
	cr_expect(linkage_matches(&new, "f", "") && !linkage_matches(&old, "f", ""));
	cr_expect(linkage_matches(&plain, "f", "") && linkage_matches(&plain, "f", "V1"));
	cr_expect(!linkage_matches(&plain, "g", ""));
}

/* As the dynamic linkers of glibc and musl print them. */
Test(linkage, lists_of_libraries)
{
	static const char *const lines[][2] = {
		{ "\tlinux-vdso.so.1 (0x00007f04d9651000)", NULL },
		{ "\t/lib/x86_64-linux-gnu/libz.so.1 (0x00007f04d962a000)",
		  "/lib/x86_64-linux-gnu/libz.so.1" },
		{ "\tlibm.so.6 => /lib/libm.so.6 (0x00007f04d953f000)", "/lib/libm.so.6" },
		{ "\tlibx.so => /a b/lib (0x1).so (0x00007f04d953f000)", "/a b/lib (0x1).so" },
		{ "\tlibx.so => ./libx.so (0x00007f04d953f000)", "./libx.so" },
		{ "\tlibx.so => not found", NULL },
		{ "\tstatically linked", NULL },
		{ "/bin/cat: unrecognized option '--list'", NULL },
		{ "\t/lib/ld-musl-x86_64.so.1 (0x7f6c52b2c000)", "/lib/ld-musl-x86_64.so.1" },
		{ "", NULL },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		char line[256];
		const char *path;

		snprintf(line, sizeof(line), "%s", lines[i][0]);
		path = program_files_parse(line);
		cr_expect(lines[i][1] ? path && !strcmp(path, lines[i][1]) : !path, "%s: %s", lines[i][0],
			  path);
	}
}

Test(linkage, globs)
{
	struct globs globs = { 0 };

	cr_expect(!globs_match(&globs, ""));
	cr_expect_eq(globs_add(&globs, "read,pthread_*"), 0);
	cr_expect_eq(globs_add(&globs, "[ab]"), 0);
	cr_expect(globs_match(&globs, "read") && globs_match(&globs, "pthread_join") &&
		  globs_match(&globs, "b"));
	cr_expect(!globs_match(&globs, "pread") && !globs_match(&globs, "readv") && !globs_match(&globs, ""));
	cr_expect_eq(globs_add(&globs, ""), -EINVAL);
	cr_expect_eq(globs_add(&globs, "a,,b"), -EINVAL);
	cr_expect_eq(globs_add(&globs, "a,"), -EINVAL);
	globs_clear(&globs);
}

/* Where the last one on the stack goes on that is in this program itself, and not in the C library. */
static const char *caller_name;
static struct linkage own;
static struct call_targets *own_targets;
static uintptr_t own_start;

static const char *name_called(const void *return_address)
{
	uint64_t address = (uintptr_t)return_address - own_start;
	const struct elf_segment *segment = elf_segments_find(&own.segments, address - 1);
	const struct linkage_slot *slot;

	cr_assert(segment && segment->executable);
	slot = call_targets_find(own_targets, segment->offset + (address - 1 - segment->address));
	return slot ? slot->name : NULL;
}

/* qsort() calls it by its address, and is called by sort_two(). */
__attribute__((noinline)) static int compare_and_look(const void *a, const void *b)
{
	void *frames[16];
	int count = backtrace(frames, 16);

	(void)a;
	(void)b;
	for (int i = 1; i < count; i++) {
		Dl_info info, mine;

		if (!dladdr(frames[i], &info) || !dladdr((const void *)&own, &mine) ||
		    info.dli_fbase != mine.dli_fbase)
			continue;
		caller_name = name_called(frames[i]);
		if (caller_name && strcmp(caller_name, "backtrace"))
			break;
	}
	return 0;
}

typedef int compare_items(const void *a, const void *b);

__attribute__((noinline)) static int by_address(compare_items *volatile function)
{
	return function(NULL, NULL) + 1;
}

__attribute__((noinline)) static int look_here(const void *a, const void *b)
{
	(void)a;
	(void)b;
	caller_name = name_called(__builtin_return_address(0));
	return 0;
}

Test(linkage, what_calls_lead_to)
{
	int items[2] = { 1, 2 }, fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Dl_info info;

	cr_assert_eq(linkage_read(&own, fd), 0);
	cr_assert_eq(call_targets_open(&own_targets, &own, fd), 0);
	cr_assert(dladdr((const void *)&own, &info));
	own_start = (uintptr_t)info.dli_fbase;
	qsort(items, 2, sizeof(*items), compare_and_look);
	cr_expect_str_eq(caller_name ?: "(none)", "qsort");
	caller_name = "";
	by_address(look_here);
	cr_expect_null(caller_name);
	/* Of this program itself, and not by a stub. */
	caller_name = "";
	look_here(NULL, NULL);
	cr_expect_null(caller_name);
	cr_expect_null(call_targets_find(own_targets, 0));
	cr_expect_null(call_targets_find(own_targets, UINT64_MAX));
	call_targets_close(own_targets);
	linkage_clear(&own);
	close(fd);
}
