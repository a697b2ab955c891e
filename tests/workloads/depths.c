// SPDX-License-Identifier: GPL-2.0-only
/* depths COUNT: so many times qsort(), which calls a function that asks for its callers; prints how many they were. */
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

static int depth;

static int ask_for_callers(const void *left, const void *right)
{
	void *callers[100];

	depth = backtrace(callers, 100);
	return *(const int *)left - *(const int *)right;
}

int main(int argc, char **argv)
{
	int numbers[] = { 2, 1 };

	for (int i = argc > 1 ? atoi(argv[1]) : 1; i; i--)
		qsort(numbers, 2, sizeof(*numbers), ask_for_callers);
	printf("%d callers\n", depth);
	return 0;
}
