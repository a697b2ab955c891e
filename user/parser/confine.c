// SPDX-License-Identifier: GPL-2.0-only
/* User, namespaces, limits, system calls: in this order, as each takes what the one before it still needs. */
#include "parser/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

/*
 * Users that nobody is: systemd's list (UIDS-GIDS.md) gives these numbers to none. Each process has its own as far as they go,
 * so that no other may send it signals.
 */
#define FIRST_ID 0x7fff0000
#define IDS      0x8000

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* None of these takes a path or an address, and none makes a descriptor but of a file that is already open. */
static const unsigned int
	allowed[] = {
		__NR_read,      __NR_pread64,      __NR_fstat,           __NR_close, __NR_sendmsg,
		__NR_sendto,    __NR_recvmsg,      __NR_recvfrom,        __NR_ppoll, __NR_brk,
		__NR_munmap,    __NR_mremap,       __NR_madvise,         __NR_futex, __NR_clock_gettime,
		__NR_sysinfo, /* qsort() asks how much memory there is */
		__NR_getrandom, __NR_rt_sigreturn, __NR_restart_syscall, __NR_exit,  __NR_exit_group,
	};

/* Allowed with one argument, of which those bits are looked at, as it says. */
static const struct conditional {
	unsigned int number;
	unsigned int argument;
	unsigned int bits;
	unsigned int value;
} conditionals[] = {
	{ __NR_fcntl, 1, ~0U, F_DUPFD_CLOEXEC },
	{ __NR_mmap, 3, MAP_ANONYMOUS, MAP_ANONYMOUS },
	{ __NR_mprotect, 2, PROT_EXEC, 0 },
};

/* mmap() has a second one. */
#define EXECUTABLE_ARGUMENT 2

#define FILTER_MAX 128

struct filter {
	struct sock_filter items[FILTER_MAX];
	unsigned short count;
};

static void add(struct filter *filter, struct sock_filter item)
{
	filter->items[filter->count++] = item;
}

static void load(struct filter *filter, size_t where)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)where));
}

/* The lower half of an argument; the upper one means nothing to these calls. */
static void load_argument(struct filter *filter, unsigned int argument)
{
	load(filter, offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t));
}

/* If what was loaded is not the value, the next items are skipped. */
static void unless_skip(struct filter *filter, unsigned int value, unsigned char skipped)
{
	add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void end(struct filter *filter, unsigned int action)
{
	add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static void add_conditional(struct filter *filter, const struct conditional *conditional)
{
	load(filter, offsetof(struct seccomp_data, nr));
	unless_skip(filter, conditional->number, 4);
	load_argument(filter, conditional->argument);
	add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, conditional->bits));
	unless_skip(filter, conditional->value, 1);
	end(filter, SECCOMP_RET_ALLOW);
}

static void make_filter(struct filter *filter)
{
	load(filter, offsetof(struct seccomp_data, arch));
	unless_skip(filter, OWN_ARCHITECTURE, 1);
	add(filter, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1));
	end(filter, SECCOMP_RET_KILL_PROCESS);
	/* What can be executed was there before. */
	load(filter, offsetof(struct seccomp_data, nr));
	unless_skip(filter, __NR_mmap, 4);
	load_argument(filter, EXECUTABLE_ARGUMENT);
	add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_EXEC));
	unless_skip(filter, PROT_EXEC, 1);
	end(filter, SECCOMP_RET_KILL_PROCESS);
	for (size_t i = 0; i < ARRAY_SIZE(conditionals); i++)
		add_conditional(filter, &conditionals[i]);
	load(filter, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ARRAY_SIZE(allowed); i++) {
		unless_skip(filter, allowed[i], 1);
		end(filter, SECCOMP_RET_ALLOW);
	}
	end(filter, SECCOMP_RET_KILL_PROCESS);
}

static int filter_calls(void)
{
	struct filter filter = { .count = 0 };
	struct sock_fprog program = { .filter = filter.items };

	make_filter(&filter);
	program.len = filter.count;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

static int set_limit(int resource, rlim_t most)
{
	const struct rlimit limit = { most, most };

	return setrlimit((__rlimit_resource_t)resource, &limit) ? -errno : 0;
}

static int set_limits(void)
{
	return set_limit(RLIMIT_AS, CONFINE_MEMORY_BYTES)      ?:
		       set_limit(RLIMIT_NOFILE, CONFINE_FILES) ?:
		       set_limit(RLIMIT_CORE, 0)               ?:
		       set_limit(RLIMIT_FSIZE, 0)              ?:
								 set_limit(RLIMIT_NPROC, 0);
}

/* Without the right to it there is less to be given up. */
static int change_user(void)
{
	const unsigned int id = FIRST_ID + (unsigned int)getpid() % IDS;
	static const int spaces[] = { CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS };

	if (geteuid())
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++)
		unshare(spaces[i]);
	if (setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id))
		return -errno;
	unshare(CLONE_NEWUSER);
	return 0;
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	return syscall(SYS_capset, &header, none) ? -errno : 0;
}

int confine(void)
{
	int err = change_user() ?: set_limits() ?: drop_capabilities();

	if (err)
		return err;
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return filter_calls();
}
