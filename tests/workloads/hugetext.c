// SPDX-License-Identifier: GPL-2.0-only
/*
 * hugetext COUNT: calls getppid COUNT times by way of a library's function; then moves code to anonymous memory at the same
 * addresses, as programs do that want it in huge pages, and calls as often again, each time: all the code of one library that
 * GNU ld has linked, of one that lld has, and some pages in the midst of libc's.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096UL

typedef int chain_function(void *const *rest);
extern chain_function small_call, lld_call;

static int count;

__attribute__((noinline)) static int leaf(void *const *rest)
{
	int sum = rest != NULL;

	for (int i = 0; i < count; i++)
		sum += getppid();
	return sum;
}

__attribute__((noinline)) static int call(chain_function *function)
{
	void *const chain[] = { leaf };

	return function(chain) + 1;
}

static int move(uintptr_t start, size_t size)
{
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		return -1;
	memcpy(copy, (void *)start, size);
	return mprotect(copy, size, PROT_READ | PROT_EXEC) ||
			       mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) ==
				       MAP_FAILED ?
		       -1 :
		       0;
}

/* All of the mapping that an address lies in. */
static int move_mapping(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	uintptr_t start, end;
	char line[4096];
	int err = -1;

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 && address >= start && address < end)
			err = move(start, end - start);
	}
	if (maps)
		fclose(maps);
	return err;
}

int main(int argc, char **argv)
{
	int sum;

	count = argc == 2 ? atoi(argv[1]) : 0;
	sum = call(small_call) + call(lld_call);
	if (!count || move_mapping((uintptr_t)small_call) || move_mapping((uintptr_t)lld_call))
		return 1;
	sum += call(small_call) + call(lld_call);
	if (move(((uintptr_t)getppid & ~(PAGE - 1)) - PAGE, 3 * PAGE))
		return 1;
	return sum + call(small_call) == 0;
}
