// SPDX-License-Identifier: GPL-2.0-only
/* A header that says what the rest is about, then the bytes. */
#include "plan/file_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "target/component.h"

/* More than of any file is kept. */
#define MOST_BYTES (64 << 20)

struct header {
	char version[24]; /* of the tracer, whose table of the C library's functions counts too */
	uint32_t rules;
	uint32_t size;
	uint32_t checksum;
	uint32_t zero;
	uint64_t file_device;
	uint64_t file_inode;
	uint64_t file_size;
	int64_t file_changed_ns; /* the inode's, which nobody can set */
};

/* But for what the bytes decide. */
static bool make_header(struct header *header, const struct file_cache_key *key)
{
	struct stat status;

	if (fstat(key->fd, &status))
		return false;
	*header = (struct header){
		.version = SCALER_VERSION,
		.rules = key->rules,
		.file_device = status.st_dev,
		.file_inode = status.st_ino,
		.file_size = (uint64_t)status.st_size,
		.file_changed_ns = status.st_ctim.tv_sec * 1000000000LL + status.st_ctim.tv_nsec,
	};
	return true;
}

static uint32_t checksum_of(const void *bytes, size_t size)
{
	return (uint32_t)crc32_z(crc32_z(0, NULL, 0), bytes, size);
}

/* The folder, or false. */
static bool find_folder(char folder[PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int length = -1;

	/* By its specification only absolute paths count. */
	if (cache && *cache == '/')
		length = snprintf(folder, PATH_MAX, "%s/scaler-bpf", cache);
	else if (home && *home == '/')
		length = snprintf(folder, PATH_MAX, "%s/.cache/scaler-bpf", home);
	return length > 0 && length < PATH_MAX;
}

static bool find_path(char path[PATH_MAX], const char *folder, const struct file_cache_key *key)
{
	char text[COMPONENT_BUILD_ID_TEXT_SIZE];
	int length;

	component_format_build_id(key->build_id, text);
	length = snprintf(path, PATH_MAX, "%s/%s-%s", folder, key->kind, text);
	return length > 0 && length < PATH_MAX;
}

static bool is_owners(const struct stat *status)
{
	return status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* Nobody else may say what is harmless. */
static bool is_trusted(int kept)
{
	struct stat status;

	return !fstat(kept, &status) && S_ISREG(status.st_mode) && is_owners(&status);
}

/* Whether that header, which was read, is the wanted one, whatever bytes it is for. */
static bool is_wanted(struct header header, const struct header *wanted)
{
	header.size = wanted->size;
	header.checksum = wanted->checksum;
	return !memcmp(&header, wanted, sizeof(header));
}

static int read_bytes(int kept, const struct header *wanted, void **bytes, size_t *size)
{
	struct header header;

	if (!is_trusted(kept) || read(kept, &header, sizeof(header)) != sizeof(header) ||
	    !is_wanted(header, wanted) || header.size > MOST_BYTES)
		return -ENOENT;
	*size = header.size;
	*bytes = malloc(*size + 1);
	if (!*bytes)
		return -ENOMEM;
	if (read(kept, *bytes, *size) == (ssize_t)*size && checksum_of(*bytes, *size) == header.checksum)
		return 0;
	free(*bytes);
	return -ENOENT;
}

int file_cache_load(const struct file_cache_key *key, void **bytes, size_t *size)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct header wanted;
	int kept, err;

	if (!key->build_id || !find_folder(folder) || !find_path(path, folder, key) ||
	    !make_header(&wanted, key))
		return -ENOENT;
	kept = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (kept < 0)
		return -ENOENT;
	err = read_bytes(kept, &wanted, bytes, size);
	close(kept);
	return err;
}

/* The folder and those above it. */
static void make_folders(const char *folder)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", folder);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(part, 0700);
		*slash = '/';
	}
	mkdir(part, 0700);
}

/* Nobody else may make links in it. */
static bool is_folder_ours(const char *folder)
{
	struct stat status;

	return !lstat(folder, &status) && S_ISDIR(status.st_mode) && is_owners(&status);
}

static bool write_bytes(int kept, const struct file_cache_key *key, const void *bytes, size_t size)
{
	struct header header;

	if (!make_header(&header, key))
		return false;
	header.size = (uint32_t)size;
	header.checksum = checksum_of(bytes, size);
	return write(kept, &header, sizeof(header)) == sizeof(header) &&
	       write(kept, bytes, size) == (ssize_t)size;
}

void file_cache_store(const struct file_cache_key *key, const void *bytes, size_t size)
{
	char folder[PATH_MAX], path[PATH_MAX], fresh[PATH_MAX];
	int kept, length;

	if (!key->build_id || size > MOST_BYTES || !find_folder(folder) || !find_path(path, folder, key))
		return;
	make_folders(folder);
	if (!is_folder_ours(folder))
		return;
	/* A reader meanwhile reads the old ones. */
	length = snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	kept = length < PATH_MAX ? mkostemp(fresh, O_CLOEXEC) : -1;
	if (kept < 0)
		return;
	if (!write_bytes(kept, key, bytes, size) || rename(fresh, path))
		unlink(fresh);
	close(kept);
}
