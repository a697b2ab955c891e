// SPDX-License-Identifier: GPL-2.0-only
/*
 * loads COUNT [wait]: a program in C that loads a library in C++ while it runs. It sorts so many times; then it sorts
 * once more, and while it does it loads the library and has it throw so many exceptions through qsort(); and that again
 * after that sort. At last, 50 ms later, it sorts so many times again, and prints how many exceptions were caught. With "wait", says that
 * it is ready first, and waits for a byte.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned int (*throw_exceptions)(unsigned int count);
static unsigned int count, caught;

static int compare(const void *left, const void *right)
{
	return *(const int *)left - *(const int *)right;
}

static int load_and_compare(const void *left, const void *right)
{
	void *library = throw_exceptions ? NULL : dlopen("libthrows.so", RTLD_NOW);

	if (library)
		throw_exceptions = (unsigned int (*)(unsigned int))dlsym(library, "throw_exceptions");
	if (library && throw_exceptions)
		caught += throw_exceptions(count);
	return compare(left, right);
}

static void sort(int (*compare_by)(const void *, const void *))
{
	int numbers[] = { 2, 1 };

	qsort(numbers, 2, sizeof(*numbers), compare_by);
	if (numbers[0] != 1)
		abort();
}

int main(int argc, char **argv)
{
	count = argc > 1 ? (unsigned int)atoi(argv[1]) : 1;
	if (argc > 2 && !strcmp(argv[2], "wait")) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	for (unsigned int i = 0; i < count; i++)
		sort(compare);
	sort(load_and_compare);
	if (!throw_exceptions)
		return 1;
	caught += throw_exceptions(count);
	usleep(50000);
	for (unsigned int i = 0; i < count; i++)
		sort(compare);
	printf("%u caught\n", caught);
	return 0;
}
