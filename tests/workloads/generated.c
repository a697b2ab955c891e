// SPDX-License-Identifier: GPL-2.0-only
/*
 * generated named|unnamed COUNT [PAUSE]: upon a byte of input, calls getppid() so often by way of two functions that it
 * generates, outer and inner, and getpgrp() by way of inner alone. Named, they stand in /tmp/perf-PID.map, where other
 * functions stood before. Ends with its input. With a pause, of microseconds, after each round, a tracer that learns where
 * they are called from may be late.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef int function(void);
typedef int caller(function *called);
typedef int caller_of_two(caller *called, function *called_by_it);

static const uint8_t inner_code[] = {
	0x55,             /* push %rbp */
	0x48, 0x89, 0xe5, /* mov %rsp, %rbp */
	0xff, 0xd7,       /* call *%rdi */
	0x5d, 0xc3,       /* pop %rbp; ret */
};
static const uint8_t outer_code[] = {
	0x55,             /* push %rbp */
	0x48, 0x89, 0xe5, /* mov %rsp, %rbp */
	0x48, 0x89, 0xf8, /* mov %rdi, %rax */
	0x48, 0x89, 0xf7, /* mov %rsi, %rdi */
	0xff, 0xd0,       /* call *%rax */
	0x5d, 0xc3,       /* pop %rbp; ret */
};

static int write_map(const uint8_t *code, size_t inner_size)
{
	char path[64];
	FILE *map;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		return 1;
	fprintf(map, "%lx 1000 replaced\n", (unsigned long)code);
	fprintf(map, "%lx %zx inner;of [JIT]\n", (unsigned long)code, inner_size);
	fprintf(map, "0x%lx %zx outer\x1b <T>\n", (unsigned long)code + inner_size, sizeof(outer_code));
	fprintf(map, "%lx %zx unfinish", (unsigned long)code, inner_size);
	return fclose(map) != 0;
}

int main(int argc, char **argv)
{
	int count = argc >= 3 ? atoi(argv[2]) : 0;
	useconds_t pause_us = argc > 3 ? (useconds_t)atoi(argv[3]) : 0;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *code = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;
	char byte;

	if (!count || code == MAP_FAILED)
		return 2;
	memcpy(code, inner_code, sizeof(inner_code));
	memcpy(code + sizeof(inner_code), outer_code, sizeof(outer_code));
	if (mprotect(code, page, PROT_READ | PROT_EXEC) ||
	    (!strcmp(argv[1], "named") && write_map(code, sizeof(inner_code))) ||
	    read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	while (count--) {
		caller *inner = (caller *)(uintptr_t)code;
		caller_of_two *outer = (caller_of_two *)(uintptr_t)(code + sizeof(inner_code));

		sum += outer(inner, getppid) + inner(getpgrp);
		if (pause_us)
			usleep(pause_us);
	}
	puts("called");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return sum == 1;
}
