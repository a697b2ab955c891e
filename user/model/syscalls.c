// SPDX-License-Identifier: GPL-2.0-only
/* The system calls by number: names, categories, and which of them a descriptor refines. */
#include "model/syscalls.h"

#include <stdio.h>

#include "base/array.h"

static const struct syscall_info infos[] = {
#define SYSCALL(name, category, first_argument, x86_64, i386, generic)                                       \
	{ #name, CATEGORY_##category, first_argument, { x86_64, i386, generic } },
#include "model/syscalls.inc"
#undef SYSCALL
};

#if defined(__x86_64__)
#define NATIVE_TABLE SYSCALL_TABLE_X86_64
#else
#define NATIVE_TABLE SYSCALL_TABLE_GENERIC
#endif

/* A linear search: done for each row of a report, not for each call. */
const struct syscall_info *syscall_find(enum syscall_table table, unsigned int number)
{
	for (size_t i = 0; i < ARRAY_SIZE(infos); i++) {
		if (infos[i].numbers[table] == (int)number)
			return &infos[i];
	}
	return NULL;
}

const struct syscall_info *syscall_find_abi(enum scaler_abi abi, unsigned int number)
{
	return syscall_find(abi == SCALER_ABI_NATIVE ? NATIVE_TABLE : SYSCALL_TABLE_I386, number);
}

const char *syscall_format(enum scaler_abi abi, unsigned int number, char buffer[SYSCALL_NAME_SIZE])
{
	const struct syscall_info *info = syscall_find_abi(abi, number);
	const char *prefix = abi == SCALER_ABI_NATIVE ? "" : "i386:";

	if (info)
		snprintf(buffer, SYSCALL_NAME_SIZE, "%s%s", prefix, info->name);
	else
		snprintf(buffer, SYSCALL_NAME_SIZE, "%sunknown:%u", prefix, number);
	return buffer;
}

/* What a descriptor makes of a call on it; CATEGORY_UNKNOWN: it says nothing. */
static const struct {
	const char *name;
	enum syscall_category category;
} descriptors[SCALER_DESCRIPTOR_COUNT] = {
	[SCALER_DESCRIPTOR_NONE] = { "", CATEGORY_UNKNOWN },
	[SCALER_DESCRIPTOR_BAD] = { "bad", CATEGORY_UNKNOWN },
	[SCALER_DESCRIPTOR_REGULAR] = { "regular", CATEGORY_FILE_IO },
	[SCALER_DESCRIPTOR_DIRECTORY] = { "directory", CATEGORY_FILE_META },
	[SCALER_DESCRIPTOR_BLOCK] = { "block", CATEGORY_FILE_IO },
	[SCALER_DESCRIPTOR_CHARACTER] = { "character", CATEGORY_FILE_IO },
	[SCALER_DESCRIPTOR_TTY] = { "tty", CATEGORY_FILE_IO },
	[SCALER_DESCRIPTOR_PIPE] = { "pipe", CATEGORY_IPC },
	[SCALER_DESCRIPTOR_SOCKET] = { "socket", CATEGORY_NETWORK },
	[SCALER_DESCRIPTOR_UNIX] = { "unix", CATEGORY_IPC },
	[SCALER_DESCRIPTOR_EVENTFD] = { "eventfd", CATEGORY_IPC },
	[SCALER_DESCRIPTOR_TIMERFD] = { "timerfd", CATEGORY_TIME },
	[SCALER_DESCRIPTOR_SIGNALFD] = { "signalfd", CATEGORY_SIGNAL },
	[SCALER_DESCRIPTOR_EPOLL] = { "epoll", CATEGORY_POLL },
	[SCALER_DESCRIPTOR_INOTIFY] = { "inotify", CATEGORY_FILE_META },
	[SCALER_DESCRIPTOR_IO_URING] = { "io_uring", CATEGORY_ASYNC_IO },
	[SCALER_DESCRIPTOR_OTHER] = { "other", CATEGORY_UNKNOWN },
};

enum syscall_category syscall_category(enum scaler_abi abi, unsigned int number,
				       enum scaler_descriptor descriptor)
{
	const struct syscall_info *info = syscall_find_abi(abi, number);

	if (!info)
		return CATEGORY_UNKNOWN;
	if (descriptors[descriptor].category != CATEGORY_UNKNOWN)
		return descriptors[descriptor].category;
	return info->category;
}

const char *syscall_category_name(enum syscall_category category)
{
	static const char *const names[CATEGORY_COUNT] = {
		[CATEGORY_FILE_IO] = "file-io", [CATEGORY_FILE_META] = "file-meta",
		[CATEGORY_NETWORK] = "network", [CATEGORY_POLL] = "poll",
		[CATEGORY_SYNC] = "sync",       [CATEGORY_TIME] = "time",
		[CATEGORY_MEMORY] = "memory",   [CATEGORY_PROCESS] = "process",
		[CATEGORY_SCHED] = "sched",     [CATEGORY_SIGNAL] = "signal",
		[CATEGORY_IPC] = "ipc",         [CATEGORY_ASYNC_IO] = "async-io",
		[CATEGORY_SYSTEM] = "system",   [CATEGORY_UNKNOWN] = "unknown",
	};

	return names[category];
}

const char *syscall_descriptor_name(enum scaler_descriptor descriptor)
{
	return descriptors[descriptor].name;
}
