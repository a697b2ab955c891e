// SPDX-License-Identifier: GPL-2.0-only
/*
 * moves HOW ROUNDS COUNT: waits for a byte or the end of input; then puts the code of one library, then of another, in the same place, and has each make COUNT
 * calls of getppid; all that ROUNDS times.
 * fixed, remap, protect: by mmap over what is there, by mremap, by mmap and mprotect.
 * readable: by an mmap that does not ask to execute, in a process where all that can be read can be executed.
 * thread, process: mapped by a thread of its own, which lives on, or by a process that shares the memory.
 * fork: a child puts the other one in the place, makes its calls there, and the parent calls what it had.
 * exec: each is mapped by a program of its own.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int chain_function(void *const *rest);
extern chain_function small_call, large_call;

#define PAGE  4096UL
#define PLACE ((char *)0x200000000)

/* The page of a library that its function lies in. */
static struct code {
	int fd;
	off_t offset;
	size_t function;
} codes[2];

static int rounds, count;

static void check(bool succeeded, const char *what)
{
	if (succeeded)
		return;
	perror(what);
	exit(1);
}

static void open_code(struct code *code, chain_function *function)
{
	Dl_info info;
	uintptr_t offset;

	check(dladdr((void *)function, &info), "dladdr");
	offset = (uintptr_t)function - (uintptr_t)info.dli_fbase;
	code->fd = open(info.dli_fname, O_RDONLY | O_CLOEXEC);
	check(code->fd >= 0, info.dli_fname);
	code->offset = (off_t)(offset & ~(PAGE - 1));
	code->function = offset & (PAGE - 1);
}

static void map(void *place, const struct code *code, int protection)
{
	check(mmap(place, PAGE, protection, MAP_PRIVATE | MAP_FIXED, code->fd, code->offset) == place,
	      "mmap");
}

static void map_fixed(const struct code *code)
{
	map(PLACE, code, PROT_READ | PROT_EXEC);
}

static void map_readable(const struct code *code)
{
	map(PLACE, code, PROT_READ);
}

static void map_and_move(const struct code *code)
{
	char *other = PLACE + 16 * PAGE;

	map(other, code, PROT_READ | PROT_EXEC);
	check(mremap(other, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, PLACE) == PLACE, "mremap");
}

static void map_and_protect(const struct code *code)
{
	map(PLACE, code, PROT_READ);
	check(!mprotect(PLACE, PAGE, PROT_READ | PROT_EXEC), "mprotect");
}

static sem_t wanted, mapped;
static const struct code *wanted_code;

static void *map_for_others(void *unused)
{
	for (;;) {
		sem_wait(&wanted);
		map_fixed(wanted_code);
		sem_post(&mapped);
	}
	return unused;
}

static void map_by_thread(const struct code *code)
{
	wanted_code = code;
	sem_post(&wanted);
	sem_wait(&mapped);
}

static int run_process(void *code)
{
	map_fixed(code);
	return 0;
}

static void map_by_process(const struct code *code)
{
	static char stack[1 << 16];
	pid_t pid = clone(run_process, stack + sizeof(stack), CLONE_VM | SIGCHLD, (void *)code);

	check(pid > 0 && waitpid(pid, NULL, 0) == pid, "clone");
}

__attribute__((noinline)) static int leaf(void *const *rest)
{
	int sum = rest != NULL;

	for (int i = 0; i < count; i++)
		sum += getppid();
	return sum;
}

__attribute__((noinline)) static int call(const struct code *code)
{
	void *const chain[] = { leaf };

	return ((chain_function *)(PLACE + code->function))(chain) + 1;
}

static void fork_and_call(void)
{
	pid_t pid;

	map_fixed(&codes[0]);
	pid = fork();
	check(pid >= 0, "fork");
	if (!pid) {
		map_fixed(&codes[1]);
		call(&codes[1]);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	call(&codes[0]);
}

/* The rounds left count down to 0, odd ones for one library. */
static void call_and_exec(char **argv)
{
	char left[16];

	map_fixed(&codes[rounds & 1]);
	call(&codes[rounds & 1]);
	if (!--rounds)
		return;
	snprintf(left, sizeof(left), "%d", rounds);
	execv("/proc/self/exe", (char *[]){ argv[0], argv[1], left, argv[3], NULL });
	check(false, "execv");
}

static const struct {
	const char *name;
	void (*map)(const struct code *code);
} hows[] = {
	{ "fixed", map_fixed },         { "readable", map_readable }, { "remap", map_and_move },
	{ "protect", map_and_protect }, { "thread", map_by_thread },  { "process", map_by_process },
};

static int call_in_turn(const char *how)
{
	for (size_t i = 0; i < sizeof(hows) / sizeof(*hows); i++) {
		if (strcmp(how, hows[i].name))
			continue;
		for (int round = 0; round < rounds; round++) {
			for (int j = 0; j < 2; j++) {
				hows[i].map(&codes[j]);
				call(&codes[j]);
			}
		}
		return 0;
	}
	return 2;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 4)
		return 2;
	rounds = atoi(argv[2]);
	count = atoi(argv[3]);
	open_code(&codes[0], small_call);
	open_code(&codes[1], large_call);
	getchar();
	if (!strcmp(argv[1], "readable"))
		personality(READ_IMPLIES_EXEC);
	if (!strcmp(argv[1], "thread"))
		check(!pthread_create(&thread, NULL, map_for_others, NULL), "pthread_create");
	if (!strcmp(argv[1], "exec")) {
		call_and_exec(argv);
		return 0;
	}
	if (strcmp(argv[1], "fork"))
		return call_in_turn(argv[1]);
	for (int i = 0; i < rounds; i++)
		fork_and_call();
	return 0;
}
