/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions cannot be unwound, by what their own code may come to call: neither an exception nor the end of a
 * thread passes through one that calls nothing but what promises to throw nothing.
 */
#ifndef SCALER_PROBE_RETURN_PROOF_H
#define SCALER_PROBE_RETURN_PROOF_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/plan.h"
#include "target/linked_files.h"

/*
 * Takes the hazards from the plan's functions, from that number on, that their code excludes. At once: within some 40 ms
 * for each file, so that less is proven of a large one than is kept from an earlier run. Returns 0 or -ENOMEM; of files
 * that cannot be read nothing is proven.
 */
int return_proof_apply(struct plan *plan, size_t first, const struct linked_files *files, bool at_once);

#endif
