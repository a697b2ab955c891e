/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists of shell patterns, as options take them: "read,pthread_*". */
#ifndef SCALER_BASE_GLOBS_H
#define SCALER_BASE_GLOBS_H

#include <stdbool.h>
#include <stddef.h>

struct globs {
	char **items; /* owned, as are the patterns */
	size_t count;
	size_t capacity;
};

/* Adds the patterns of a list that commas separate. Returns 0, -EINVAL if one is empty, or -ENOMEM. */
int globs_add(struct globs *globs, const char *list);
void globs_clear(struct globs *globs);

/* Whether one of them fits the whole text. */
bool globs_match(const struct globs *globs, const char *text);

#endif
