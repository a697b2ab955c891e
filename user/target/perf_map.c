// SPDX-License-Identifier: GPL-2.0-only
/* The names that a process gives the code it generates. */
#include "target/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file_bytes.h"
#include "target/foreign_file.h"
#include "target/process.h"

#define SIZE_LIMIT (64 << 20)
#define NAME_LIMIT 4096 /* bytes */
/* What clocks of files and of processes may differ by. */
#define CLOCK_TOLERANCE_NS 1000000000

/* In the /tmp of that root, which is taken over. Nothing may be mounted over it: that could be somebody else's file. */
static int open_below(int root, pid_t pid)
{
	int folder = root < 0 ? root : foreign_folder_open(root, "tmp"), fd;
	char name[64];

	if (root >= 0)
		close(root);
	if (folder < 0)
		return folder;
	snprintf(name, sizeof(name), "perf-%d.map", pid);
	fd = foreign_file_open(folder, name, FOREIGN_ONE_MOUNT);
	close(folder);
	return fd;
}

static bool is_process(const struct process *process, const struct scaler_component *generated)
{
	uint64_t start_ns = generated->key.process_start_ns;

	return !start_ns || start_ns - process->start_ns < PROCESS_START_STEP_NS;
}

static int open_map(const struct scaler_component *generated)
{
	struct process process;

	/* One that has ended has no root, also while nobody has waited for it. */
	if (process_inspect(&process, (pid_t)generated->tgid) || process.ended ||
	    !is_process(&process, generated))
		return open_below(foreign_root_open(getpid()), (pid_t)generated->tgid);
	return open_below(foreign_root_open((pid_t)generated->tgid), process.inner_pid);
}

/* Whether a file is what that process may have written. */
static int check(const struct stat *status, const struct scaler_component *generated)
{
	uint64_t booted_ns = clock_now_ns() + (uint64_t)clock_wall_ahead_ns() - clock_booted_ns();

	if (status->st_uid != generated->uid || status->st_nlink != 1)
		return -EPERM;
	if (clock_ns(&status->st_mtim) + CLOCK_TOLERANCE_NS < booted_ns + generated->key.process_start_ns)
		return -ESTALE;
	return status->st_size > SIZE_LIMIT ? -EFBIG : 0;
}

/* It may grow and shrink meanwhile. */
static int read_text(struct perf_map *map, int fd, size_t size)
{
	ssize_t got;

	map->text = malloc(size + 1);
	if (!map->text)
		return -ENOMEM;
	got = file_bytes_read(fd, 0, map->text, size);
	map->size = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

int perf_map_read(struct perf_map *map, const struct scaler_component *generated)
{
	struct stat status;
	int fd, err;

	*map = (struct perf_map){ 0 };
	fd = open_map(generated);
	/* No regular file, a link, another mount's. */
	if (fd == -ENXIO || fd == -ELOOP || fd == -EXDEV)
		return -EPERM;
	if (fd < 0)
		return fd == -ESRCH ? -ENOENT : fd;
	err = fstat(fd, &status) ? -errno : check(&status, generated);
	err = err ?: read_text(map, fd, (size_t)status.st_size);
	close(fd);
	return err;
}

void perf_map_clear(struct perf_map *map)
{
	free(map->text);
	*map = (struct perf_map){ 0 };
}

struct piece {
	uint64_t start;
	uint64_t end;
	struct perf_map_name name;
};

/* A hexadecimal number and the blank behind it. */
static bool parse_number(const char **at, const char *end, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	const char *begin;

	if (end - *at > 2 && !strncasecmp(*at, "0x", 2))
		*at += 2;
	*value = 0;
	for (begin = *at; *at < end && *at - begin < 16; ++*at) {
		const char *digit = strchr(digits, **at | ' ');

		if (!**at || !digit || !*digit)
			break;
		*value = *value << 4 | (uint64_t)(digit - digits);
	}
	return *at > begin && *at < end && *(*at)++ == ' ';
}

static bool parse_line(const char *at, const char *end, struct piece *piece)
{
	uint64_t size;

	if (!parse_number(&at, end, &piece->start) || !parse_number(&at, end, &size) || at == end)
		return false;
	piece->end = piece->start + size < size ? UINT64_MAX : piece->start + size;
	piece->name = (struct perf_map_name){ at, end - at < NAME_LIMIT ? (size_t)(end - at) : NAME_LIMIT };
	return true;
}

/* The first address from one on that has no name yet. next holds for each address one that is not behind it. */
static size_t first_free(size_t *next, size_t from)
{
	size_t at = from;

	while (next[at] != at)
		at = next[at];
	while (next[from] != at) {
		size_t passed = next[from];

		next[from] = at;
		from = passed;
	}
	return at;
}

/* From the last line on, so that each address is named once, however the pieces overlap. */
int perf_map_find(const struct perf_map *map, const uint64_t *addresses, size_t count,
		  struct perf_map_name *names)
{
	size_t *next = calloc(count + 1, sizeof(*next));
	const char *end;

	if (!next)
		return -ENOMEM;
	for (size_t i = 0; i <= count; i++)
		next[i] = i;
	for (size_t i = 0; i < count; i++)
		names[i] = (struct perf_map_name){ 0 };
	/* A last line without an end is still being written. */
	end = map->size ? memrchr(map->text, '\n', map->size) : NULL;
	while (end && end > map->text) {
		const char *before = memrchr(map->text, '\n', (size_t)(end - map->text));
		struct piece piece;

		if (parse_line(before ? before + 1 : map->text, end, &piece)) {
			size_t at = first_free(
				next, array_count_below(addresses, count, sizeof(*addresses), piece.start));

			for (; at < count && addresses[at] < piece.end; at = first_free(next, at)) {
				names[at] = piece.name;
				next[at] = at + 1;
			}
		}
		end = before;
	}
	free(next);
	return 0;
}
