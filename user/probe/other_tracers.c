// SPDX-License-Identifier: GPL-2.0-only
/* BPF links, as the kernel lists them to those who may ask. */
#include "probe/other_tracers.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/array.h"

/* enum bpf_link_type and enum bpf_perf_event_type, of older kernels' headers not known. */
#define LINK_PERF_EVENT   7
#define LINK_UPROBE_MULTI 12
#define EVENT_URETPROBE   2
#define MOST_OFFSETS      (1 << 20)

/* struct bpf_link_info as Linux 6.8 has it, as far as it is about these. */
struct link_info {
	uint32_t type;
	uint32_t id;
	uint32_t program_id;
	uint32_t zero;
	union {
		struct {
			uint64_t path;
			uint64_t offsets;
			uint64_t reference_counter_offsets;
			uint64_t cookies;
			uint32_t path_bytes; /* with the zero at its end */
			uint32_t count;
			uint32_t flags;
			uint32_t pid;
		} multi;
		struct {
			uint32_t kind;
			uint32_t zero;
			uint64_t path;
			uint32_t path_bytes;
			uint32_t offset;
		} event;
	};
};
_Static_assert(sizeof(struct link_info) == 64, "no padding");

int file_identity_read(struct file_identity *identity, int fd)
{
	char link[64], path[PATH_MAX];
	struct stat status;
	ssize_t length;

	*identity = (struct file_identity){ 0 };
	if (fstat(fd, &status))
		return -errno;
	identity->device = status.st_dev;
	identity->inode = status.st_ino;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return -errno;
	identity->path = strndup(path, (size_t)length);
	return identity->path ? 0 : -ENOMEM;
}

void file_identity_clear(struct file_identity *identity)
{
	free(identity->path);
	*identity = (struct file_identity){ 0 };
}

/* By where its path leads, which may be nowhere from here. */
static int identify(struct file_identity *identity, const char *path)
{
	struct stat status;

	identity->path = strdup(path);
	if (!identity->path)
		return -ENOMEM;
	if (!stat(path, &status)) {
		identity->device = status.st_dev;
		identity->inode = status.st_ino;
	}
	return 0;
}

static bool is_same(const struct file_identity *a, const struct file_identity *b)
{
	if (a->inode && a->inode == b->inode && a->device == b->device)
		return true;
	return a->path && b->path && !strcmp(a->path, b->path);
}

static int compare_offsets(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return array_order(*a, *b);
}

static int get_info(int fd, struct link_info *info)
{
	uint32_t bytes = sizeof(*info);

	return bpf_obj_get_info_by_fd(fd, info, &bytes) ? -errno : 0;
}

/* The first answer says how many there are. */
static int read_multi(int fd, struct link_info *info, struct other_link *link)
{
	uint64_t path = info->multi.path;
	uint32_t path_bytes = PATH_MAX, count = info->multi.count;
	int err;

	/* What is in every process anyway reaches no farther by ours. */
	if (!info->multi.pid || !count || count > MOST_OFFSETS)
		return 0;
	link->offsets = calloc(count, sizeof(*link->offsets));
	if (!link->offsets)
		return -ENOMEM;
	*info = (struct link_info){
		.multi = { .path = path,
			   .path_bytes = path_bytes,
			   .offsets = (uintptr_t)link->offsets,
			   .count = count },
	};
	err = get_info(fd, info);
	if (!err)
		link->count = count;
	return err;
}

static int read_event(const struct link_info *info, struct other_link *link)
{
	/* It may have a process of its own, which is not told. */
	if (info->event.kind != EVENT_URETPROBE)
		return 0;
	link->offsets = malloc(sizeof(*link->offsets));
	if (!link->offsets)
		return -ENOMEM;
	*link->offsets = info->event.offset;
	link->count = 1;
	return 0;
}

/* A link that has no probes in files has none in the end. */
static int read_link(int fd, struct link_info *info, struct other_link *link)
{
	char path[PATH_MAX] = "";
	int err;

	link->id = info->id;
	/* Where the path goes depends on the type, and the kernel refuses one in the place of anything else. */
	if (info->type == LINK_UPROBE_MULTI) {
		*info = (struct link_info){ .multi = { .path = (uintptr_t)path, .path_bytes = PATH_MAX } };
		err = get_info(fd, info) ?: read_multi(fd, info, link);
	} else {
		*info = (struct link_info){ .event = { .path = (uintptr_t)path, .path_bytes = PATH_MAX } };
		err = get_info(fd, info) ?: read_event(info, link);
	}
	/* It may have ended, or the kernel may tell nothing of it. */
	if (err && err != -ENOMEM) {
		link->count = 0;
		return 0;
	}
	if (err || !link->count)
		return err;
	qsort(link->offsets, link->count, sizeof(*link->offsets), compare_offsets);
	return identify(&link->file, path);
}

static void link_clear(struct other_link *link)
{
	file_identity_clear(&link->file);
	free(link->offsets);
}

/* Our own programs are never asked at returns, whichever process has loaded them. */
static bool is_harmless(uint32_t program)
{
	static const char own[] = "scaler_library_";
	struct bpf_prog_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int fd = bpf_prog_get_fd_by_id(program);
	bool is_own;

	if (fd < 0)
		return false;
	is_own = !bpf_obj_get_info_by_fd(fd, &info, &bytes) && !strncmp(info.name, own, strlen(own));
	close(fd);
	return is_own;
}

static int add_link(struct other_tracers *others, int fd)
{
	struct link_info info = { 0 };
	struct other_link link = { 0 }, *links;
	int err;

	if (get_info(fd, &info) || (info.type != LINK_UPROBE_MULTI && info.type != LINK_PERF_EVENT) ||
	    is_harmless(info.program_id))
		return 0;
	links = array_reserve(others->links, others->count, &others->capacity, sizeof(*links));
	if (!links)
		return -ENOMEM;
	others->links = links;
	err = read_link(fd, &info, &link);
	if (err || !link.count)
		link_clear(&link);
	else
		links[others->count++] = link;
	return err;
}

/* Those that are gone by now. */
static void drop_ended(struct other_tracers *others)
{
	size_t kept = 0;

	for (size_t i = 0; i < others->count; i++) {
		int fd = bpf_link_get_fd_by_id(others->links[i].id);

		if (fd >= 0) {
			close(fd);
			others->links[kept++] = others->links[i];
		} else {
			link_clear(&others->links[i]);
		}
	}
	others->count = kept;
}

/* Numbers go up, and begin again only after two thousand million. */
int other_tracers_look(struct other_tracers *others)
{
	int err = 0;

	drop_ended(others);
	while (!err && !bpf_link_get_next_id(others->last_id, &others->last_id)) {
		int fd = bpf_link_get_fd_by_id(others->last_id);

		if (fd < 0)
			continue;
		err = add_link(others, fd);
		close(fd);
	}
	return err;
}

bool other_tracers_reach(const struct other_tracers *others, const struct file_identity *file,
			 uint64_t offset)
{
	for (size_t i = 0; i < others->count; i++) {
		const struct other_link *link = &others->links[i];

		if (is_same(&link->file, file) &&
		    bsearch(&offset, link->offsets, link->count, sizeof(offset), compare_offsets))
			return true;
	}
	return false;
}

void other_tracers_clear(struct other_tracers *others)
{
	for (size_t i = 0; i < others->count; i++)
		link_clear(&others->links[i]);
	free(others->links);
	*others = (struct other_tracers){ 0 };
}
