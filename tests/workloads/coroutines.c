// SPDX-License-Identifier: GPL-2.0-only
/*
 * coroutines COUNT: two of them take turns, COUNT in all, and each turn is a getppid() by way of qsort(). They rest between the
 * first, from which a tracer learns.
 */
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK_SIZE (64 << 10)

static ucontext_t origin, contexts[2];
static int turns, rests = 8;

static int ask(const void *left, const void *right)
{
	getppid();
	return *(const int *)left - *(const int *)right;
}

static void body(int own)
{
	for (;;) {
		int numbers[] = { 2, 1 };

		qsort(numbers, 2, sizeof(*numbers), ask);
		if (rests-- > 0)
			usleep(5000);
		if (--turns < 1)
			swapcontext(&contexts[own], &origin);
		swapcontext(&contexts[own], &contexts[!own]);
	}
}

int main(int argc, char **argv)
{
	turns = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = malloc(STACK_SIZE);
		contexts[i].uc_stack.ss_size = STACK_SIZE;
		makecontext(&contexts[i], (void (*)(void))body, 1, i);
	}
	return swapcontext(&origin, contexts);
}
