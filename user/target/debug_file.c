// SPDX-License-Identifier: GPL-2.0-only
/* Opens debug files by the names that files and distributions give them. */
#include "target/debug_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/foreign_file.h"

#define INSTALLED "/usr/lib/debug"

/* As FOLDER/.build-id/ab/cdef.debug. */
static int open_by_build_id(const struct debug_link *link, const char *folder)
{
	char path[PATH_MAX];
	int at = snprintf(path, sizeof(path), "%s/.build-id/", folder);

	if (link->build_id_size < 2 || at >= PATH_MAX - 2 * ELF_BUILD_ID_MAX - (int)sizeof("/.debug"))
		return -ENOENT;
	for (size_t i = 0; i < link->build_id_size; i++)
		at += sprintf(path + at, i ? "%02x" : "%02x/", link->build_id[i]);
	sprintf(path + at, ".debug");
	return foreign_file_open(AT_FDCWD, path, FOREIGN_ANYWHERE);
}

/* The file's folder by its path, which the caller frees; NULL: that leads to another file, or nowhere. */
static char *find_folder(int fd)
{
	char name[32], path[PATH_MAX];
	struct stat own, found;
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	length = readlink(name, path, sizeof(path) - 1);
	if (length <= 0 || *path != '/')
		return NULL;
	path[length] = '\0';
	if (fstat(fd, &own) || lstat(path, &found) || own.st_dev != found.st_dev ||
	    own.st_ino != found.st_ino)
		return NULL;
	*strrchr(path, '/') = '\0';
	return strdup(path);
}

struct candidates {
	int *fds;
	size_t count;
};

static void add(struct candidates *candidates, int fd)
{
	if (fd >= 0)
		candidates->fds[candidates->count++] = fd;
}

static void add_link(struct candidates *candidates, const struct debug_link *link, const char *root,
		     const char *folder, const char *below, enum foreign_reach reach)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s/%s%s", root, folder, below, link->name) < PATH_MAX)
		add(candidates, foreign_file_open(AT_FDCWD, path, reach));
}

/* Folders of debug files have the file's own folder below them again; that may be anybody's. */
static void add_links(struct candidates *candidates, const struct debug_link *link, int fd, const char *root)
{
	char *folder = find_folder(fd);

	if (folder) {
		add_link(candidates, link, "", folder, "", FOREIGN_NO_LINKS);
		add_link(candidates, link, "", folder, ".debug/", FOREIGN_NO_LINKS);
		if (root)
			add_link(candidates, link, root, folder, "", FOREIGN_ANYWHERE);
		add_link(candidates, link, INSTALLED, folder, "", FOREIGN_ANYWHERE);
	}
	if (root)
		add_link(candidates, link, root, "", "", FOREIGN_ANYWHERE);
	free(folder);
}

size_t debug_files_open(const struct debug_link *link, int fd, const char *folder, int fds[DEBUG_FILES_MAX])
{
	struct candidates candidates = { .fds = fds };

	if (folder)
		add(&candidates, open_by_build_id(link, folder));
	add(&candidates, open_by_build_id(link, INSTALLED));
	if (*link->name)
		add_links(&candidates, link, fd, folder);
	return candidates.count;
}

int debug_file_open_installed(const struct debug_link *link)
{
	return open_by_build_id(link, INSTALLED);
}
