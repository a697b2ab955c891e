// SPDX-License-Identifier: GPL-2.0-only
/*
 * returns SCENE [COUNT]: library calls that end in all the ways that calls can end. What is called how often is in the
 * test beside each scene; prints "done" if all went well.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

void first_leaf(void);
void first_sleep(unsigned int us);
void first_spin(unsigned int us);
void first_call(void (*function)(void *), void *argument);
void second_sleep(unsigned int us);
void second_jump(unsigned int us);
void second_many(unsigned int count);

static void call_leaf(void *argument)
{
	(void)argument;
	first_leaf();
	__asm__ volatile(""); /* it is not jumped to, which would be a call by who called this */
}

/* 20 times first_sleep(2000), 20 times first_spin(2000), 10 times second_sleep(2000), which calls first_sleep() */
static void times(void *count)
{
	(void)count;
	for (int i = 0; i < 20; i++)
		first_sleep(2000);
	for (int i = 0; i < 20; i++)
		first_spin(2000);
	for (int i = 0; i < 10; i++)
		second_sleep(2000);
}

/* first_call() within itself so often, and first_leaf() in each; the innermost takes 5 ms */
static void recurse(void *count)
{
	size_t left = *(size_t *)count;

	first_leaf();
	if (!left) {
		first_sleep(5000);
		return;
	}
	left--;
	first_call(recurse, &left);
}

static jmp_buf out;

static void jump_out(void *argument)
{
	(void)argument;
	first_call(call_leaf, NULL);
	usleep(2000);
	longjmp(out, 1);
}

/* 5 times first_call() that is left by longjmp(), with a first_call() that returns in it, which calls first_leaf(), and 2 ms;
 * after each first_sleep(1000) */
static void leave_by_jump(void *count)
{
	(void)count;
	for (volatile int i = 0; i < 5; i++) {
		if (!setjmp(out))
			first_call(jump_out, NULL);
		first_sleep(1000);
	}
}

/* 4 times second_jump(2000), which goes on as first_sleep() */
static void call_in_the_place(void *count)
{
	(void)count;
	for (int i = 0; i < 4; i++)
		second_jump(2000);
}

static void handle_signal(int signal)
{
	(void)signal;
	first_call(call_leaf, NULL);
	__asm__ volatile("");
}

static void raise_signal(void *argument)
{
	(void)argument;
	raise(SIGUSR1);
}

/* Above or below all stacks of threads that are created later. */
static void *stack_new(size_t size)
{
	void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED)
		exit(1);
	return stack;
}

#define STACK_SIZE (1 << 18)

static char *upper_stack;

/* 5 times first_call() in which a signal comes; on the handler's stack, another, which calls first_leaf() */
static void take_signals(void *count)
{
	struct sigaction action = { .sa_handler = handle_signal, .sa_flags = SA_ONSTACK };

	(void)count;
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 5; i++) {
		stack_t stack = { .ss_sp = i % 2 ? upper_stack : stack_new(STACK_SIZE),
				  .ss_size = STACK_SIZE };

		sigaltstack(&stack, NULL);
		first_call(raise_signal, NULL);
	}
}

static ucontext_t coroutine, scheduler;

static void give_up(void *argument)
{
	(void)argument;
	first_leaf();
	swapcontext(&coroutine, &scheduler);
	first_leaf();
	__asm__ volatile("");
}

static void run_coroutine(void)
{
	for (;;)
		first_call(give_up, NULL);
}

static void resume(void *argument)
{
	(void)argument;
	swapcontext(&scheduler, &coroutine);
}

/*
 * On each of two coroutines: 10 times first_call() resumes it, and then first_leaf(). On its stack first_call() is open
 * from one time to the next, 10 times in all, and calls first_leaf() 19 times.
 */
static void switch_stacks(void *count)
{
	(void)count;
	for (int i = 0; i < 2; i++) {
		getcontext(&coroutine);
		coroutine.uc_stack.ss_sp = i ? upper_stack : stack_new(STACK_SIZE);
		coroutine.uc_stack.ss_size = STACK_SIZE;
		makecontext(&coroutine, run_coroutine, 0);
		for (int j = 0; j < 10; j++) {
			first_call(resume, NULL);
			first_leaf();
		}
	}
}

static void end_process(void *argument)
{
	(void)argument;
	first_sleep(1000);
	puts("done");
	exit(3);
}

/* first_call(), first_sleep(1000), and the end of the process with status 3 */
static void leave_by_exit(void *count)
{
	(void)count;
	first_call(end_process, NULL);
}

static void begin_children(void *argument)
{
	pid_t child = fork();

	(void)argument;
	if (!child) {
		first_leaf();
		return;
	}
	waitpid(child, NULL, 0);
	child = vfork();
	if (!child) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	first_leaf();
}

/* 5 times first_call(), and first_leaf() in it; children that go on from within, and call more */
static void have_children(void *count)
{
	pid_t self = getpid();

	(void)count;
	for (int i = 0; i < 5; i++) {
		first_call(begin_children, NULL);
		if (getpid() != self)
			_exit(0);
	}
}

static void execute(void *argument)
{
	(void)argument;
	first_leaf();
	execl("/proc/self/exe", "returns", "times", NULL);
}

/* first_call() and first_leaf(), and then what times() does */
static void leave_by_exec(void *count)
{
	(void)count;
	first_call(execute, NULL);
}

/* Finds what it would not as another caller. */
static void look_up(void *count)
{
	(void)count;
	if (!dlsym(RTLD_NEXT, "first_leaf") || dlsym(RTLD_NEXT, "not_there"))
		exit(1);
}

/* second_many() once, which calls first_leaf() so often, and does nothing else */
static void call_many(void *count)
{
	second_many((unsigned int)*(size_t *)count);
}

static const struct scene {
	const char *name;
	void (*run)(void *count);
} scenes[] = {
	{ "times", times },           { "recursion", recurse },
	{ "longjmp", leave_by_jump }, { "tail", call_in_the_place },
	{ "signals", take_signals },  { "coroutines", switch_stacks },
	{ "exit", leave_by_exit },    { "children", have_children },
	{ "exec", leave_by_exec },    { "lookup", look_up },
	{ "many", call_many },
};

static size_t count;

static void *run(void *scene)
{
	((const struct scene *)scene)->run(&count);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	size_t i = 0;

	count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	upper_stack = stack_new(STACK_SIZE);
	while (i < sizeof(scenes) / sizeof(*scenes) && (argc < 2 || strcmp(argv[1], scenes[i].name)))
		i++;
	if (i == sizeof(scenes) / sizeof(*scenes))
		return 2;
	/* In a thread, stacks can be above its own, which they cannot in the first one, which alone takes probes along. */
	if (scenes[i].run == leave_by_exec)
		leave_by_exec(NULL);
	if (pthread_create(&thread, NULL, run, (void *)&scenes[i]))
		return 1;
	pthread_join(thread, NULL);
	puts("done");
	return 0;
}
