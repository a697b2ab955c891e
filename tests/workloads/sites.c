// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites swap ROUNDS COUNT LIBRARY FUNCTION LIBRARY FUNCTION: in each round loads the first library, has it
 * make COUNT calls of getppid, unloads it, and the same with the second one and COUNT + 1 calls. Prints
 * in how many rounds both lay at the same address.
 * sites words ROUNDS LIBRARY WORD LIBRARY WORD: in each round loads the first library, waits on a variable of it as on a futex
 * for a millisecond, unloads it, and the same with the second one. Prints as above.
 * sites generated COUNT: COUNT calls of getppid by code generated at run time.
 * sites hold COUNT LIBRARY FUNCTION: loads it, waits for a byte, makes the calls, waits for the end of input.
 */
#include <dlfcn.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef void call_function(int count);

static call_function *load(const char *library, const char *name, void **handle)
{
	call_function *function;

	*handle = dlopen(library, RTLD_NOW);
	function = *handle ? (call_function *)dlsym(*handle, name) : NULL;
	if (!function) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return function;
}

static void swap(char **argv)
{
	int rounds = atoi(argv[2]), count = atoi(argv[3]), same = 0;

	for (int i = 0; i < rounds; i++) {
		call_function *first, *second;
		void *handle;

		first = load(argv[4], argv[5], &handle);
		first(count);
		dlclose(handle);
		second = load(argv[6], argv[7], &handle);
		second(count + 1);
		dlclose(handle);
		same += first == second;
	}
	printf("%d\n", same);
}

static unsigned int *wait_on(const char *library, const char *name)
{
	const struct timespec limit = { 0, 1000000 };
	unsigned int *word;
	void *handle = dlopen(library, RTLD_NOW);

	word = handle ? dlsym(handle, name) : NULL;
	if (!word) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 1, &limit, NULL, 0);
	dlclose(handle);
	return word;
}

static void wait_on_words(char **argv)
{
	int rounds = atoi(argv[2]), same = 0;

	for (int i = 0; i < rounds; i++) {
		unsigned int *first = wait_on(argv[3], argv[4]), *second = wait_on(argv[5], argv[6]);

		same += first == second;
	}
	printf("%d\n", same);
}

static void generated(int count)
{
	/* mov $SYS_getppid, %eax; syscall; ret */
	static const unsigned char code[] = { 0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3 };
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(memory, code, sizeof(code));
	if (mprotect(memory, 4096, PROT_READ | PROT_EXEC))
		exit(1);
	for (int i = 0; i < count; i++)
		((void (*)(void))memory)();
}

static void hold(char **argv)
{
	void *handle;
	call_function *function = load(argv[3], argv[4], &handle);
	char byte;

	if (read(STDIN_FILENO, &byte, 1) != 1)
		exit(1);
	function(atoi(argv[2]));
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

int main(int argc, char **argv)
{
	if (argc == 8 && !strcmp(argv[1], "swap"))
		swap(argv);
	else if (argc == 7 && !strcmp(argv[1], "words"))
		wait_on_words(argv);
	else if (argc == 3 && !strcmp(argv[1], "generated"))
		generated(atoi(argv[2]));
	else if (argc == 5 && !strcmp(argv[1], "hold"))
		hold(argv);
	else
		return 2;
	return 0;
}
