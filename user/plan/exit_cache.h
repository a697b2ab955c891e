/* SPDX-License-Identifier: GPL-2.0-only */
/* Where calls of a file's functions end, as it was found in its code, in this run or in an earlier one. */
#ifndef SCALER_PLAN_EXIT_CACHE_H
#define SCALER_PLAN_EXIT_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/code_exits.h"
#include "target/linked_files.h"

/* To be increased when exits of the same code may be found otherwise than before. */
#define EXIT_RULES 1

/* The exits of one function. */
struct found_exits {
	uint64_t address; /* the function's, by the file's own numbers */
	uint32_t first;   /* among all exits */
	uint16_t count;
	uint16_t jumps_on; /* as code_exits has it */
};

struct exit_cache {
	const struct linked_file *file;
	int fd;
	struct found_exits
		*functions; /* owned, as is the next; those kept before by address, then those added */
	uint64_t *exits;
	size_t kept_count;
	size_t function_count;
	size_t function_capacity;
	size_t exit_count;
	size_t exit_capacity;
};

/* Begins with what is kept of an open file; both outlive the cache. Returns 0 or -ENOMEM; the caller closes it in both
 * cases. */
int exit_cache_open(struct exit_cache *cache, const struct linked_file *file, int fd);

/* Those that were kept of the function at an address. False: of that none were. */
bool exit_cache_find(const struct exit_cache *cache, uint64_t address, struct code_exits *exits);

/* Adds what exit_cache_find() did not find. Returns 0 or -ENOMEM. */
int exit_cache_add(struct exit_cache *cache, uint64_t address, const struct code_exits *exits);

/* Keeps what was added for later runs, if that can be done. */
void exit_cache_close(struct exit_cache *cache);

#endif
