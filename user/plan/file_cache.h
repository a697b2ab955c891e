/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has been found out about the code of files, kept from one run to the next: for each build-id a file below
 * $XDG_CACHE_HOME or ~/.cache. It holds for the very file that it was made of, because anybody may write a build-id
 * into a file of his own; and only as it was written, because probes are set by it. Without a place to keep it
 * nothing is kept.
 */
#ifndef SCALER_PLAN_FILE_CACHE_H
#define SCALER_PLAN_FILE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/component.h>

/* What is kept, and of which file. */
struct file_cache_key {
	const char *kind; /* its name begins so */
	uint32_t rules;   /* to be increased when of the same code something else may be found than before */
	int fd;           /* of the file, open */
	const __u8 *build_id; /* SCALER_BUILD_ID_SIZE bytes; NULL: it has none, and nothing is kept */
};

/*
 * Returns 0 with bytes that the caller frees, -ENOENT if nothing is kept that holds, or -ENOMEM. Their meaning is the
 * caller's to check.
 */
int file_cache_load(const struct file_cache_key *key, void **bytes, size_t *size);

/* Keeps bytes in place of those before, if that can be done. */
void file_cache_store(const struct file_cache_key *key, const void *bytes, size_t size);

#endif
