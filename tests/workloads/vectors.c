// SPDX-License-Identifier: GPL-2.0-only
/* vectors: calls each function of vectors.h that the CPU can execute, and prints a line with its name and what it did. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define VECTOR(name, support, code) extern void name(void);
#include "vectors.h"
#undef VECTOR

static void call(const char *name, void (*function)(void))
{
	static uint8_t inputs[5][32], memory[64], result[32];
	uint32_t general = 0x01020304;

	for (size_t i = 0; i < sizeof(inputs); i++)
		inputs[i / 32][i % 32] = (uint8_t)(i * 37 + 11);
	memset(memory, 0x55, sizeof(memory));
	__asm__ volatile("vmovdqu (%[in]), %%ymm0\n\t"
			 "vmovdqu 32(%[in]), %%ymm1\n\t"
			 "vmovdqu 64(%[in]), %%ymm2\n\t"
			 "vmovdqu 96(%[in]), %%ymm3\n\t"
			 "vmovdqu 128(%[in]), %%ymm4\n\t"
			 "call *%[function]\n\t"
			 "vmovdqu %%ymm0, (%[out])\n\t"
			 "vzeroupper"
			 : "+a"(general)
			 : [in] "r"(inputs), [function] "r"(function), [out] "r"(result), "D"(5), "S"(memory)
			 : "r8", "ymm0", "ymm1", "ymm2", "ymm3", "ymm4", "memory", "cc");
	printf("%s %x ", name, general);
	for (size_t i = 0; i < sizeof(result); i++)
		printf("%02x", result[i]);
	for (size_t i = 0; i < sizeof(memory); i++)
		printf("%02x", memory[i]);
	putchar('\n');
}

int main(void)
{
#define VECTOR(name, support, code)                                                                          \
	if (__builtin_cpu_supports(support))                                                                 \
		call(#name, name);
#include "vectors.h"
	return 0;
}
