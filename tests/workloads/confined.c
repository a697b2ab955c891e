// SPDX-License-Identifier: GPL-2.0-only
/*
 * confined strict|filter COUNT: reads a byte or the end of its input, and then calls strtoul() and write() COUNT times each, as
 * a process that the kernel ends for any system call but read, write, exit and rt_sigreturn. Prints COUNT dots.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int confine_by_filter(void)
{
	struct sock_filter instructions[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_read, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(instructions) / sizeof(*instructions), instructions };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[2]) : 0;
	long sum = 0;
	char byte;

	if (!count ||
	    (strcmp(argv[1], "strict") ? confine_by_filter() : prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)))
		return 1;
	if (read(STDIN_FILENO, &byte, 1) < 0)
		count = 0;
	for (int i = 0; i < count; i++) {
		sum += (long)strtoul("1", NULL, 10);
		sum += write(STDOUT_FILENO, ".", 1);
	}
	/* exit() takes another system call. */
	syscall(SYS_exit, sum != 2L * count || !count);
}
