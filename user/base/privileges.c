// SPDX-License-Identifier: GPL-2.0-only
/* By the system call: the C library has none for it, and libcap would be linked for one. */
#include "base/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"

static const uint8_t kept[] = {
	CAP_BPF,          CAP_PERFMON,
	CAP_SYS_ADMIN,                            /* programs, maps and probes, also of older kernels */
	CAP_SYSLOG,                               /* the kernel's symbols */
	CAP_SYS_PTRACE,   CAP_CHECKPOINT_RESTORE, /* other processes' files and mappings */
	CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,    /* files of all users; the report among those of one */
	CAP_SYS_RESOURCE, CAP_SYS_NICE, /* memory of maps that is locked; the event reader's priority */
	CAP_KILL,         CAP_SETUID,
	CAP_SETGID, /* helpers as another user, and their end */
};

int privileges_reduce(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct own[_LINUX_CAPABILITY_U32S_3], wanted[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, own))
		return -errno;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		wanted[CAP_TO_INDEX(kept[i])].permitted |= CAP_TO_MASK(kept[i]);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		wanted[i].permitted &= own[i].permitted;
		wanted[i].effective = wanted[i].permitted & own[i].effective;
		wanted[i].inheritable = wanted[i].permitted & own[i].inheritable;
	}
	return syscall(SYS_capset, &header, wanted) ? -errno : 0;
}

void privileges_hide_memory(void)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
