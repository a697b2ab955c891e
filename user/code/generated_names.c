// SPDX-License-Identifier: GPL-2.0-only
/* Reads perf maps. */
#include "code/generated_names.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/file_bytes.h"

int generated_names_read(struct generated_names *names, int fd)
{
	struct stat status;
	ssize_t got;
	int err;

	*names = (struct generated_names){ 0 };
	err = file_bytes_stat(fd, &status);
	if (err)
		return err;
	if (status.st_size > GENERATED_NAMES_BYTES_MAX)
		return -EFBIG;
	names->text = malloc((size_t)status.st_size + 1);
	if (!names->text)
		return -ENOMEM;
	got = file_bytes_read(fd, 0, names->text, (size_t)status.st_size);
	names->size = got < 0 ? 0 : (size_t)got;
	return got < 0 ? (int)got : 0;
}

void generated_names_clear(struct generated_names *names)
{
	free(names->text);
	*names = (struct generated_names){ 0 };
}

struct piece {
	uint64_t start;
	uint64_t end;
	struct generated_name name;
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
	piece->name = (struct generated_name){ at, end - at < GENERATED_NAME_MAX ? (size_t)(end - at) :
										   GENERATED_NAME_MAX };
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
int generated_names_find(const struct generated_names *names, const uint64_t *addresses, size_t count,
			 struct generated_name *found)
{
	size_t *next = calloc(count + 1, sizeof(*next));
	const char *end;

	if (!next)
		return -ENOMEM;
	for (size_t i = 0; i <= count; i++)
		next[i] = i;
	for (size_t i = 0; i < count; i++)
		found[i] = (struct generated_name){ 0 };
	/* A last line without an end is still being written. */
	end = names->size ? memrchr(names->text, '\n', names->size) : NULL;
	while (end && end > names->text) {
		const char *before = memrchr(names->text, '\n', (size_t)(end - names->text));
		struct piece piece;

		if (parse_line(before ? before + 1 : names->text, end, &piece)) {
			size_t at = first_free(
				next, array_count_below(addresses, count, sizeof(*addresses), piece.start));

			for (; at < count && addresses[at] < piece.end; at = first_free(next, at)) {
				found[at] = piece.name;
				next[at] = at + 1;
			}
		}
		end = before;
	}
	free(next);
	return 0;
}
