// SPDX-License-Identifier: GPL-2.0-only
/* Files of proofs: a header that says what they are about, then the proofs. */
#include "probe/proof_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/component.h"

/* To be increased when the same code may be judged otherwise than before. */
#define PROOF_RULES 1

#define MOST_PROOFS (1 << 20)

struct proof_header {
	char version[24]; /* of the tracer, whose table of the C library's functions counts too */
	uint32_t rules;
	uint32_t count;
	uint64_t device;
	uint64_t inode;
	uint64_t size;
	int64_t changed_ns; /* the inode's, which nobody can set */
};

static bool make_header(struct proof_header *header, int fd, size_t count)
{
	struct stat status;

	if (fstat(fd, &status))
		return false;
	*header = (struct proof_header){
		.version = SCALER_VERSION,
		.rules = PROOF_RULES,
		.count = (uint32_t)count,
		.device = status.st_dev,
		.inode = status.st_ino,
		.size = (uint64_t)status.st_size,
		.changed_ns = status.st_ctim.tv_sec * 1000000000LL + status.st_ctim.tv_nsec,
	};
	return true;
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

static bool find_path(char path[PATH_MAX], const char *folder, const __u8 build_id[SCALER_BUILD_ID_SIZE])
{
	char text[COMPONENT_BUILD_ID_TEXT_SIZE];
	int length;

	component_format_build_id(build_id, text);
	length = snprintf(path, PATH_MAX, "%s/returns-%s", folder, text);
	return length > 0 && length < PATH_MAX;
}

/* Nobody else may say what is harmless. */
static bool is_trusted(int kept)
{
	struct stat status;

	return !fstat(kept, &status) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static int read_proofs(struct function_proofs *proofs, int kept, const struct proof_header *wanted)
{
	struct proof_header header;
	size_t bytes;

	if (!is_trusted(kept) || read(kept, &header, sizeof(header)) != sizeof(header) ||
	    header.count > MOST_PROOFS)
		return -ENOENT;
	proofs->count = header.count;
	header.count = 0;
	if (memcmp(&header, wanted, sizeof(header)))
		return -ENOENT;
	bytes = proofs->count * sizeof(*proofs->items);
	proofs->items = malloc(bytes + 1);
	if (!proofs->items)
		return -ENOMEM;
	return read(kept, proofs->items, bytes) == (ssize_t)bytes ? 0 : -ENOENT;
}

int proof_cache_load(struct function_proofs *proofs, int fd, const __u8 build_id[SCALER_BUILD_ID_SIZE])
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct proof_header wanted;
	int kept, err;

	*proofs = (struct function_proofs){ 0 };
	if (!find_folder(folder) || !find_path(path, folder, build_id) || !make_header(&wanted, fd, 0))
		return -ENOENT;
	kept = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (kept < 0)
		return -ENOENT;
	err = read_proofs(proofs, kept, &wanted);
	close(kept);
	if (err) {
		free(proofs->items);
		*proofs = (struct function_proofs){ 0 };
	}
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

static bool write_proofs(const struct function_proofs *proofs, int kept, int fd)
{
	size_t bytes = proofs->count * sizeof(*proofs->items);
	struct proof_header header;

	return make_header(&header, fd, proofs->count) &&
	       write(kept, &header, sizeof(header)) == sizeof(header) &&
	       write(kept, proofs->items, bytes) == (ssize_t)bytes;
}

void proof_cache_store(const struct function_proofs *proofs, int fd,
		       const __u8 build_id[SCALER_BUILD_ID_SIZE])
{
	char folder[PATH_MAX], path[PATH_MAX], fresh[PATH_MAX];
	int kept, length;

	if (proofs->count > MOST_PROOFS || !find_folder(folder) || !find_path(path, folder, build_id))
		return;
	make_folders(folder);
	/* Whoever reads meanwhile reads the old ones. */
	length = snprintf(fresh, sizeof(fresh), "%s.XXXXXX", path);
	kept = length < PATH_MAX ? mkostemp(fresh, O_CLOEXEC) : -1;
	if (kept < 0)
		return;
	if (!write_proofs(proofs, kept, fd) || rename(fresh, path))
		unlink(fresh);
	close(kept);
}
