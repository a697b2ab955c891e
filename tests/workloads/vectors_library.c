// SPDX-License-Identifier: GPL-2.0-only
/* The functions of vectors.h, and nothing before their instructions. */
#define VECTOR(name, support, code)                                                                          \
	__asm__(".text\n\t.p2align 4\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\t" code \
		"\n\tret\n\t.size " #name ", . - " #name);

#include "vectors.h"

__attribute__((visibility("hidden"))) const unsigned int vectors_constant[8] __attribute__((aligned(32))) = {
	7, 6, 5, 4, 3, 2, 1, 0,
};
