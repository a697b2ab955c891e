// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals N: N signals that it sends itself and handles, and N sleeps that a timer's signal interrupts.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static void handle(int signal)
{
	(void)signal;
}

int main(int argc, char **argv)
{
	const struct itimerval soon = { .it_value = { .tv_usec = 1000 } };
	const struct sigaction action = { .sa_handler = handle };
	long count = argc > 1 ? atol(argv[1]) : 1;
	sigset_t alarm, before;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, &before);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (long i = 0; i < count; i++) {
		raise(SIGUSR1);
		setitimer(ITIMER_REAL, &soon, NULL);
		sigsuspend(&before);
	}
	return 0;
}
