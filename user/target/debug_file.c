// SPDX-License-Identifier: GPL-2.0-only
/* Searches debug files. One is taken only if it is of the same build. */
#include "target/debug_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file_bytes.h"
#include "target/debug_servers.h"
#include "target/foreign_file.h"

#define INSTALLED "/usr/lib/debug"

#define LINK_MAX_BYTES 512         /* of .gnu_debuglink */
#define SUMMED_MAX     (1LL << 30) /* bytes of a file whose sum is made */

/* What a debug file must be. */
struct wanted {
	struct elf_file *file;
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;          /* 0: it has none */
	char link[LINK_MAX_BYTES + 1]; /* the debug file's name; "": not known */
	uint32_t sum;                  /* the debug file's */
};

/* The name, and the sum in the next whole word. */
static void read_link(struct wanted *wanted)
{
	const Elf64_Shdr *section = elf_file_section(wanted->file, ".gnu_debuglink");
	struct elf_bytes loaded;
	size_t sum_at;

	if (!section ||
	    elf_file_load(wanted->file, section->sh_offset,
			  section->sh_size < LINK_MAX_BYTES ? section->sh_size : LINK_MAX_BYTES, &loaded))
		return;
	sum_at = (strlen((char *)loaded.bytes) + sizeof(wanted->sum)) & ~(sizeof(wanted->sum) - 1);
	if (sum_at + sizeof(wanted->sum) <= loaded.size && !strchr((char *)loaded.bytes, '/')) {
		snprintf(wanted->link, sizeof(wanted->link), "%s", (char *)loaded.bytes);
		memcpy(&wanted->sum, loaded.bytes + sum_at, sizeof(wanted->sum));
	}
	elf_file_unload(wanted->file, &loaded);
}

static bool has_sum(int fd, uint32_t wanted)
{
	uint64_t offset = 0;
	char bytes[1 << 16];
	uLong sum = crc32(0, NULL, 0);
	struct stat status;
	ssize_t got;

	if (fstat(fd, &status) || status.st_size > SUMMED_MAX)
		return false;
	while ((got = file_bytes_read(fd, offset, bytes, sizeof(bytes))) > 0) {
		sum = crc32(sum, (const Bytef *)bytes, (uInt)got);
		offset += (uint64_t)got;
	}
	return !got && sum == wanted;
}

static bool is_of_same_build(int fd, const struct wanted *wanted)
{
	uint8_t build_id[ELF_BUILD_ID_MAX];
	struct elf_file debug;
	size_t size;

	if (elf_file_open(&debug, fd))
		return false;
	size = elf_file_build_id(&debug, build_id);
	elf_file_close(&debug);
	if (wanted->build_id_size && size)
		return size == wanted->build_id_size && !memcmp(build_id, wanted->build_id, size);
	return *wanted->link && has_sum(fd, wanted->sum);
}

static int open_if_wanted(const struct wanted *wanted, const char *path, enum foreign_reach reach)
{
	int fd = foreign_file_open(AT_FDCWD, path, reach);

	if (fd < 0 || is_of_same_build(fd, wanted))
		return fd;
	close(fd);
	return -ENOENT;
}

/* As FOLDER/.build-id/ab/cdef.debug. */
static int open_by_build_id(const struct wanted *wanted, const char *folder)
{
	char path[PATH_MAX];
	int at = snprintf(path, sizeof(path), "%s/.build-id/", folder);

	if (wanted->build_id_size < 2 || at >= PATH_MAX - 2 * ELF_BUILD_ID_MAX - (int)sizeof("/.debug"))
		return -ENOENT;
	for (size_t i = 0; i < wanted->build_id_size; i++)
		at += sprintf(path + at, i ? "%02x" : "%02x/", wanted->build_id[i]);
	sprintf(path + at, ".debug");
	return open_if_wanted(wanted, path, FOREIGN_ANYWHERE);
}

/* The file's folder by its path, which the caller frees; NULL: that leads to another file, or nowhere. */
static char *find_folder(const struct elf_file *file)
{
	char name[32], path[PATH_MAX];
	struct stat own, found;
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", file->fd);
	length = readlink(name, path, sizeof(path) - 1);
	if (length <= 0 || *path != '/')
		return NULL;
	path[length] = '\0';
	if (fstat(file->fd, &own) || lstat(path, &found) || own.st_dev != found.st_dev ||
	    own.st_ino != found.st_ino)
		return NULL;
	*strrchr(path, '/') = '\0';
	return strdup(path);
}

static int open_link(const struct wanted *wanted, const char *root, const char *folder, const char *below,
		     enum foreign_reach reach)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s/%s%s", root, folder, below, wanted->link) >= PATH_MAX)
		return -ENOENT;
	return open_if_wanted(wanted, path, reach);
}

/* Folders of debug files have the file's own folder below them again; that may be anybody's. */
static int open_by_link(const struct wanted *wanted, const char *root)
{
	char *folder = *wanted->link ? find_folder(wanted->file) : NULL;
	int fd = -ENOENT;

	if (folder) {
		fd = open_link(wanted, "", folder, "", FOREIGN_NO_LINKS);
		if (fd < 0)
			fd = open_link(wanted, "", folder, ".debug/", FOREIGN_NO_LINKS);
		if (fd < 0 && root)
			fd = open_link(wanted, root, folder, "", FOREIGN_ANYWHERE);
		if (fd < 0)
			fd = open_link(wanted, INSTALLED, folder, "", FOREIGN_ANYWHERE);
	}
	if (fd < 0 && root && *wanted->link)
		fd = open_link(wanted, root, "", "", FOREIGN_ANYWHERE);
	free(folder);
	return fd;
}

static void want(struct wanted *wanted, struct elf_file *file)
{
	*wanted = (struct wanted){ .file = file };
	wanted->build_id_size = elf_file_build_id(file, wanted->build_id);
	read_link(wanted);
}

int debug_file_open(struct elf_file *file, const char *folder, struct patient_work *work)
{
	struct wanted wanted;
	int fd;

	want(&wanted, file);
	fd = folder ? open_by_build_id(&wanted, folder) : -ENOENT;
	if (fd < 0)
		fd = open_by_build_id(&wanted, INSTALLED);
	if (fd < 0)
		fd = open_by_link(&wanted, folder);
	if (fd < 0 && work && wanted.build_id_size)
		fd = debug_servers_fetch(wanted.build_id, wanted.build_id_size, work);
	return fd < 0 ? -ENOENT : fd;
}

int debug_file_open_installed(struct elf_file *file)
{
	struct wanted wanted;

	want(&wanted, file);
	return open_by_build_id(&wanted, INSTALLED);
}

static uint64_t first_address(const struct elf_file *file)
{
	const Elf64_Phdr *segment = elf_file_segment_of(file, PT_LOAD);

	return segment ? segment->p_vaddr : 0;
}

uint64_t debug_file_bias(const struct elf_file *file, const struct elf_file *debug)
{
	return elf_file_segment_of(debug, PT_LOAD) ? first_address(debug) - first_address(file) : 0;
}
