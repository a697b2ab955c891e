// SPDX-License-Identifier: GPL-2.0-only
/* The code of files is followed from all that they export, so that what is kept serves every plan. */
#include "probe/return_proof.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "probe/file_cache.h"
#include "probe/return_safety.h"
#include "target/code_reach.h"
#include "target/component.h"
#include "target/libc_functions.h"

/* A million is decoded in about a second. libcrypto's exports take less than half of it. */
#define MOST_INSTRUCTIONS         2000000
#define MOST_INSTRUCTIONS_AT_ONCE 40000

/* To be increased when the same code may be judged otherwise than before. */
#define PROOF_RULES 2

struct function_proof {
	uint64_t address; /* by the file's own numbers */
	uint32_t hazards; /* those of RETURN_SAFETY_UNPROVEN that matter to it */
	uint32_t zero;
};

/* What is kept of a file from one run to the next. */
struct function_proofs {
	struct function_proof *items; /* owned; by address */
	size_t count;
};

static int compare_proofs(const void *left, const void *right)
{
	const struct function_proof *a = left, *b = right;

	return array_order(a->address, b->address);
}

static const struct function_proof *find_proof(const struct function_proofs *proofs, uint64_t address)
{
	const struct function_proof wanted = { .address = address };

	return proofs->count ?
		       bsearch(&wanted, proofs->items, proofs->count, sizeof(wanted), compare_proofs) :
		       NULL;
}

/* Functions of the file that would gain by a proof. The C library's is in its headers. */
static bool is_open(const struct plan_function *function, size_t file)
{
	return function->file == file && !function->untimed && !function->omission &&
	       function->hazards & RETURN_SAFETY_UNPROVEN;
}

static bool needs_proofs(const struct plan *plan, size_t first, const struct linked_files *files, size_t file)
{
	const struct linked_file *item = &files->items[file];

	if (item->error || libc_functions_include(component_name(&item->component)))
		return false;
	for (size_t i = first; i < plan->function_count; i++) {
		if (is_open(&plan->functions[i], file))
			return true;
	}
	return false;
}

/* By the file's code, sorted. */
static int make_proofs(struct function_proofs *proofs, const struct linkage *linkage, int fd, size_t most)
{
	const struct code_reach_rules rules = { return_safety_of_call, RETURN_SAFETY_UNPROVEN, most };
	uint64_t *addresses = calloc(linkage->export_count + 1, sizeof(*addresses));
	uint32_t *hazards = calloc(linkage->export_count + 1, sizeof(*hazards));
	size_t count = 0;
	int err = -ENOMEM;

	proofs->items = calloc(linkage->export_count + 1, sizeof(*proofs->items));
	if (addresses && hazards && proofs->items) {
		for (size_t i = 0; i < linkage->export_count; i++) {
			if (linkage->exports[i].address)
				addresses[count++] = linkage->exports[i].address;
		}
		err = code_reach_find(&rules, linkage, fd, addresses, count, hazards);
	}
	for (size_t i = 0; i < count && !err; i++)
		proofs->items[proofs->count++] = (struct function_proof){ addresses[i], hazards[i], 0 };
	if (proofs->count)
		qsort(proofs->items, proofs->count, sizeof(*proofs->items), compare_proofs);
	free(addresses);
	free(hazards);
	return err;
}

/* Whether the proofs cover all that is to be known: indirect functions may be others than the last time. */
static bool are_complete(const struct function_proofs *proofs, const struct linkage *linkage)
{
	for (size_t i = 0; i < linkage->export_count; i++) {
		if (linkage->exports[i].address && !find_proof(proofs, linkage->exports[i].address))
			return false;
	}
	return true;
}

static int load_proofs(struct function_proofs *proofs, const struct file_cache_key *key)
{
	void *bytes;
	size_t size;
	int err = file_cache_load(key, &bytes, &size);

	if (err)
		return err;
	proofs->items = bytes;
	proofs->count = size / sizeof(*proofs->items);
	return 0;
}

static int get_proofs(struct function_proofs *proofs, const struct linked_file *file, int fd, bool at_once)
{
	const struct file_cache_key key = {
		.kind = "returns",
		.rules = PROOF_RULES,
		.fd = fd,
		.build_id = component_has_build_id(&file->component) ? file->component.build_id : NULL,
	};
	int err = load_proofs(proofs, &key);

	if (err == -ENOMEM || (!err && are_complete(proofs, &file->linkage)))
		return err;
	free(proofs->items);
	*proofs = (struct function_proofs){ 0 };
	err = make_proofs(proofs, &file->linkage, fd,
			  at_once ? MOST_INSTRUCTIONS_AT_ONCE : MOST_INSTRUCTIONS);
	if (!err && !at_once)
		file_cache_store(&key, proofs->items, proofs->count * sizeof(*proofs->items));
	return err;
}

static void apply(struct plan *plan, size_t first, const struct linked_file *file, size_t number,
		  const struct function_proofs *proofs)
{
	for (size_t i = first; i < plan->function_count; i++) {
		struct plan_function *function = &plan->functions[i];
		const struct function_proof *proof;
		uint64_t address;

		if (!is_open(function, number) ||
		    !elf_segments_address(&file->linkage.segments, function->offset, &address))
			continue;
		proof = find_proof(proofs, address);
		if (proof)
			function->hazards &= ~RETURN_SAFETY_UNPROVEN | proof->hazards;
	}
}

int return_proof_apply(struct plan *plan, size_t first, const struct linked_files *files, bool at_once)
{
	int err = 0;

	for (size_t i = 0; i < files->count && err != -ENOMEM; i++) {
		const struct linked_file *file = &files->items[i];
		struct function_proofs proofs = { 0 };
		int fd;

		if (!needs_proofs(plan, first, files, i))
			continue;
		fd = component_open(&file->component);
		if (fd < 0)
			continue;
		err = get_proofs(&proofs, file, fd, at_once);
		if (!err)
			apply(plan, first, file, i, &proofs);
		free(proofs.items);
		close(fd);
	}
	return err == -ENOMEM ? err : 0;
}
