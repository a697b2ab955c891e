// SPDX-License-Identifier: GPL-2.0-only
/*
 * dispatches COUNT: has the kernel hand COUNT calls of getppid() back to it, by syscall user dispatch, makes COUNT calls of
 * getpgrp() that it does not, and prints how many came back.
 */
#include <linux/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile char selector = SYSCALL_DISPATCH_FILTER_ALLOW;
static volatile int handed_back;

/* The handler's own return is a call, too. */
static void take(int signal)
{
	(void)signal;
	selector = SYSCALL_DISPATCH_FILTER_ALLOW;
	handed_back++;
}

int main(int argc, char **argv)
{
	int count = argc == 2 ? atoi(argv[1]) : 0;

	if (!count || signal(SIGSYS, take) == SIG_ERR ||
	    prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector))
		return 1;
	for (int i = 0; i < count; i++) {
		selector = SYSCALL_DISPATCH_FILTER_BLOCK;
		syscall(SYS_getppid);
		syscall(SYS_getpgrp);
	}
	printf("%d\n", handed_back);
	return 0;
}
