// SPDX-License-Identifier: GPL-2.0-only
/* The system calls by number: their names. */
#include "model/syscalls.h"

#include <stdio.h>

static const char *const names[] = {
#define SYSCALL(number, name) [number] = #name,
#include "model/syscalls_x86_64.inc"
#undef SYSCALL
};

const char *syscall_name(enum scaler_abi abi, unsigned int number)
{
	if (abi != SCALER_ABI_NATIVE || number >= sizeof(names) / sizeof(names[0]))
		return NULL;
	return names[number];
}

const char *syscall_format(enum scaler_abi abi, unsigned int number, char buffer[SYSCALL_NAME_SIZE])
{
	const char *name = syscall_name(abi, number);

	if (name)
		snprintf(buffer, SYSCALL_NAME_SIZE, "%s", name);
	else
		snprintf(buffer, SYSCALL_NAME_SIZE, "%s:%u",
			 abi == SCALER_ABI_NATIVE ? "unknown" : "i386", number);
	return buffer;
}
