/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads whose names differ in their numbers alone: "worker-12" and "worker-3" are of one group, "worker-#". */
#ifndef SCALER_ANALYSIS_NAME_GROUP_H
#define SCALER_ANALYSIS_NAME_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/thread.h>

/* All zero at first. Names are not trusted. */
struct name_group {
	char first[SCALER_COMM_SIZE + 1];  /* the name of one */
	char merged[SCALER_COMM_SIZE + 1]; /* with # for each number */
	bool has_several;                  /* names */
	/* Of the names' only number; numbers is how many there are in a name. */
	uint64_t least;
	uint64_t most;
	unsigned int numbers;
};

/* Long enough for the numbers that a name has room for. */
#define NAME_GROUP_SIZE 64

/* Puts # in the place of each number of a name; what is behind its end is zeroed. */
void name_group_merge(char name[SCALER_COMM_SIZE]);

/* Adds a name that is the same as the others once merged. */
void name_group_add(struct name_group *group, const char name[SCALER_COMM_SIZE]);

/* "worker-0..7", "worker-#" of several numbers, or the only name there is; not escaped. Returns text. */
const char *name_group_format(const struct name_group *group, char text[NAME_GROUP_SIZE]);

#endif
