// SPDX-License-Identifier: GPL-2.0-only
/* sandbox PROGRAM...: runs it, and ends it at the first system call of a number that is new since Linux 4. */
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those of all architectures are the same from 424 on, where x86-64 had 334 as the last one before. */
#define LAST_KNOWN   334
#define FIRST_OF_ALL 424

static void be_child(char **argv)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
	raise(SIGSTOP);
	execvp(argv[0], argv);
	_exit(127);
}

static int is_forbidden(pid_t pid)
{
	struct __ptrace_syscall_info info = { 0 };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0 ||
	    info.op != PTRACE_SYSCALL_INFO_ENTRY)
		return 0;
	return info.entry.nr > LAST_KNOWN && info.entry.nr < FIRST_OF_ALL;
}

int main(int argc, char **argv)
{
	pid_t pid = argc > 1 ? fork() : -1;
	int status;

	if (!pid)
		be_child(argv + 1);
	if (pid < 0 || waitpid(pid, &status, 0) != pid ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
		return 2;
	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
			return 2;
		if (WIFEXITED(status))
			return WEXITSTATUS(status);
		if (WIFSIGNALED(status))
			return 1;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && is_forbidden(pid)) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			return 9;
		}
	}
}
