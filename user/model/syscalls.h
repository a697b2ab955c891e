/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls by number: their names. */
#ifndef SCALER_MODEL_SYSCALLS_H
#define SCALER_MODEL_SYSCALLS_H

#include <stddef.h>

#include <scaler/record.h>

#define SYSCALL_NAME_SIZE 32

/* The name in static memory, or NULL for a number or a table that is not known. */
const char *syscall_name(enum scaler_abi abi, unsigned int number);

/* The name, or "unknown:NUMBER" and "i386:NUMBER" where there is none. Returns buffer. */
const char *syscall_format(enum scaler_abi abi, unsigned int number,
			   char buffer[SYSCALL_NAME_SIZE]);

#endif
