/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that processes generate at run time, word by word. It is in their memory alone, so what was read last is kept
 * for the walks up stacks that are left when a process has ended.
 */
#ifndef SCALER_TARGET_GENERATED_CODE_H
#define SCALER_TARGET_GENERATED_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define GENERATED_CODE_WORDS 1024 /* kept; a newer one takes the place of an older one */

/* Zeroed, it has none. */
struct generated_code {
	struct generated_word {
		uint64_t address_space; /* its number; 0: free */
		uint64_t address;
		uint64_t word;
	} words[GENERATED_CODE_WORDS];
};

/*
 * The word at an address of a process: as it is now, which may be other code than it was when the stack was taken, or
 * as it was. False: neither is known.
 */
bool generated_code_read(struct generated_code *code, pid_t tgid, uint64_t address_space, uint64_t address,
			 uint64_t *word);

#endif
