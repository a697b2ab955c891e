// SPDX-License-Identifier: GPL-2.0-only
/*
 * every_call [compat]: makes every system call of the native or of the 32-bit table once, with zeros. A
 * seccomp filter refuses them all, so that none of them does anything.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NUMBERS 470

static int refuse_calls(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
	};
	struct sock_fprog program = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void call(long number, int compat)
{
#if defined(__x86_64__)
	if (compat) {
		long result = number;

		__asm__ volatile("int $0x80"
				 : "+a"(result)
				 : "b"(0), "c"(0), "d"(0), "S"(0), "D"(0)
				 : "memory", "r8", "r9", "r10", "r11");
		return;
	}
	/* The kernel's own, for probes: no filter stops them, and they kill who calls them. */
	if (number == 335 || number == 336)
		return;
#endif
	(void)compat;
	syscall(number, 0, 0, 0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (refuse_calls())
		return 1;
	for (long number = 0; number < NUMBERS; number++) {
		if (number != SYS_exit_group)
			call(number, argc > 1);
	}
	return 0;
}
