// SPDX-License-Identifier: GPL-2.0-only
/*
 * chain HOW COUNT [NUMBER]: makes COUNT calls of getppid, each by way of three libraries, one after the other, and
 * a function of its own, leaf().
 * once: from the main thread.
 * threads: from each of NUMBER threads at once.
 * signal, altstack: from a handler of a signal that is raised there, on the thread's or a stack of its own.
 * recursion: below NUMBER calls of recurse().
 * buffer: above NUMBER KiB on the stack.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int chain_function(void *const *rest);
extern chain_function outer_call, middle_call, inner_call;

static int count, number;

__attribute__((noinline)) static int leaf(void *const *rest)
{
	int sum = rest != NULL;

	for (int i = 0; i < count; i++)
		sum += getppid();
	return sum;
}

__attribute__((noinline)) static int raise_signal(void *const *rest)
{
	return raise(SIGUSR1) + (rest != NULL);
}

__attribute__((noinline)) static int recurse(int depth)
{
	void *const chain[] = { middle_call, inner_call, leaf };

	if (!depth)
		return outer_call(chain);
	return recurse(depth - 1) + 1;
}

__attribute__((noinline)) static int fill_stack(void *const *rest)
{
	volatile char *buffer = __builtin_alloca((size_t)number * 1024);

	buffer[0] = 1;
	return leaf(rest) + buffer[0];
}

static void handler(int signal)
{
	void *const chain[] = { middle_call, inner_call, leaf };

	outer_call(chain);
	(void)signal;
}

static int with_signal(int flags)
{
	void *const chain[] = { middle_call, inner_call, raise_signal };
	const struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	const stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	return outer_call(chain);
}

static void *run_thread(void *unused)
{
	void *const chain[] = { middle_call, inner_call, leaf };

	outer_call(chain);
	return unused;
}

static void with_threads(void)
{
	pthread_t *threads = calloc((size_t)number, sizeof(*threads));

	for (int i = 0; i < number; i++)
		if (pthread_create(&threads[i], NULL, run_thread, NULL))
			exit(1);
	for (int i = 0; i < number; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

int main(int argc, char **argv)
{
	void *const chain[] = { middle_call, inner_call, leaf };
	void *const filling_chain[] = { middle_call, inner_call, fill_stack };

	if (argc < 3)
		return 2;
	count = atoi(argv[2]);
	number = argc > 3 ? atoi(argv[3]) : 0;
	if (!strcmp(argv[1], "once"))
		outer_call(chain);
	else if (!strcmp(argv[1], "threads"))
		with_threads();
	else if (!strcmp(argv[1], "signal"))
		with_signal(0);
	else if (!strcmp(argv[1], "altstack"))
		with_signal(SA_ONSTACK);
	else if (!strcmp(argv[1], "recursion"))
		recurse(number);
	else if (!strcmp(argv[1], "buffer"))
		outer_call(filling_chain);
	else
		return 2;
	return 0;
}
