// SPDX-License-Identifier: GPL-2.0-only
/*
 * signalled HOW: the main thread, named "waiter", waits until a signal comes, 50 ms later. Prints when it began to wait
 * and when it went on, in ns of CLOCK_MONOTONIC. Waits for a byte of input first.
 * thread, wait: of a thread named "waker" to this one. process: of the same to the process. alarm: of a timer. other:
 * to the waker itself, which then wakes this one by a pipe.
 */
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_NS 50000000

static pthread_t waiter;
static int fds[2];

static void handle(int number)
{
	(void)number;
}

static void sleep_long(void)
{
	const struct timespec pause = { 10, 0 };

	if (!nanosleep(&pause, NULL))
		exit(1);
}

static void sleep_alarmed(void)
{
	const struct itimerval timer = { .it_value.tv_usec = PAUSE_NS / 1000 };

	setitimer(ITIMER_REAL, &timer, NULL);
	sleep_long();
}

static void wait_for_signal(void)
{
	sigset_t wanted;
	int number;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &wanted, NULL);
	if (sigwait(&wanted, &number) || number != SIGUSR2)
		exit(1);
}

static void read_byte(void)
{
	char byte;

	if (read(fds[0], &byte, 1) != 1)
		exit(1);
}

static void signal_thread(void)
{
	pthread_kill(waiter, SIGUSR1);
}

static void signal_waiting(void)
{
	pthread_kill(waiter, SIGUSR2);
}

static void signal_process(void)
{
	kill(getpid(), SIGRTMIN + 3);
}

static void signal_self(void)
{
	raise(SIGUSR1);
	if (write(fds[1], "", 1) != 1)
		exit(1);
}

static const struct way {
	const char *name;
	void (*wait)(void);
	void (*wake)(void); /* NULL: there is no waker */
} ways[] = {
	{ "thread", sleep_long, signal_thread },   { "wait", wait_for_signal, signal_waiting },
	{ "process", sleep_long, signal_process }, { "alarm", sleep_alarmed, NULL },
	{ "other", read_byte, signal_self },
};

static void *run_waker(void *context)
{
	const struct timespec pause = { 0, PAUSE_NS };
	const struct way *way = context;
	sigset_t blocked;

	prctl(PR_SET_NAME, "waker");
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMIN + 3);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	nanosleep(&pause, NULL);
	way->wake();
	return NULL;
}

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void run(const struct way *way)
{
	const int handled[] = { SIGUSR1, SIGALRM, SIGRTMIN + 3 };
	const struct sigaction action = { .sa_handler = handle };
	uint64_t began_ns;
	pthread_t waker;

	waiter = pthread_self();
	for (size_t i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		sigaction(handled[i], &action, NULL);
	if (pipe(fds) || (way->wake && pthread_create(&waker, NULL, run_waker, (void *)way)))
		exit(1);
	began_ns = clock_ns();
	way->wait();
	printf("%" PRIu64 " %" PRIu64 "\n", began_ns, clock_ns());
}

int main(int argc, char **argv)
{
	char byte;

	prctl(PR_SET_NAME, "waiter");
	if (read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (argc == 2 && !strcmp(ways[i].name, argv[1])) {
			run(&ways[i]);
			return 0;
		}
	}
	return 2;
}
