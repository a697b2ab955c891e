/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What has been found out about the functions of files, kept from one run to the next: a file for each build-id, below
 * $XDG_CACHE_HOME or ~/.cache. It holds for the very file that it was made of, because anybody may write a build-id
 * into a file of his own. Without a place to keep it nothing is kept.
 */
#ifndef SCALER_PROBE_PROOF_CACHE_H
#define SCALER_PROBE_PROOF_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/component.h>

struct function_proof {
	uint64_t address; /* by the file's own numbers */
	uint32_t hazards; /* those of RETURN_SAFETY_UNPROVEN that matter to it */
	uint32_t zero;
};

struct function_proofs {
	struct function_proof *items; /* owned; by address */
	size_t count;
};

/* Of an open file with that build-id. Returns 0, -ENOENT if nothing is kept that holds, or -ENOMEM. */
int proof_cache_load(struct function_proofs *proofs, int fd, const __u8 build_id[SCALER_BUILD_ID_SIZE]);

/* Keeps them, if that can be done. */
void proof_cache_store(const struct function_proofs *proofs, int fd,
		       const __u8 build_id[SCALER_BUILD_ID_SIZE]);

#endif
