/* SPDX-License-Identifier: GPL-2.0-only */
/* The system calls by number: names, categories, and which of them a descriptor refines. */
#ifndef SCALER_MODEL_SYSCALLS_H
#define SCALER_MODEL_SYSCALLS_H

#include <stdbool.h>
#include <stddef.h>

#include <scaler/record.h>

/* What a call is for; every call is in exactly one. */
enum syscall_category {
	CATEGORY_FILE_IO,
	CATEGORY_FILE_META,
	CATEGORY_NETWORK,
	CATEGORY_POLL,
	CATEGORY_SYNC,
	CATEGORY_TIME,
	CATEGORY_MEMORY,
	CATEGORY_PROCESS,
	CATEGORY_SCHED,
	CATEGORY_SIGNAL,
	CATEGORY_IPC,
	CATEGORY_ASYNC_IO,
	CATEGORY_SYSTEM,
	CATEGORY_UNKNOWN, /* a number that is in no table of ours */
	CATEGORY_COUNT,
};

/* The tables of numbers that we know. */
enum syscall_table {
	SYSCALL_TABLE_X86_64,
	SYSCALL_TABLE_I386,
	SYSCALL_TABLE_GENERIC, /* arm64, riscv */
	SYSCALL_TABLE_COUNT,
};

struct syscall_info {
	const char *name;
	enum syscall_category category;
	enum scaler_first_argument first_argument;
	short numbers[SYSCALL_TABLE_COUNT]; /* -1: not in this table */
};

/* Static memory; NULL where the table has no such number. */
const struct syscall_info *syscall_find(enum syscall_table table, unsigned int number);
/* The same by what the kernel side records on the machine that this is built for. */
const struct syscall_info *syscall_find_abi(enum scaler_abi abi, unsigned int number);

#define SYSCALL_NAME_SIZE 40

/* The name; with a prefix "i386:" for calls of the other table; "unknown:NUMBER" without one. */
const char *syscall_format(enum scaler_abi abi, unsigned int number, char buffer[SYSCALL_NAME_SIZE]);

/* The call's category, refined by the kind of its descriptor: a read from a socket is CATEGORY_NETWORK. */
enum syscall_category syscall_category(enum scaler_abi abi, unsigned int number,
				       enum scaler_descriptor descriptor);

const char *syscall_category_name(enum syscall_category category);

/* "regular", "socket", ...; "" for none. */
const char *syscall_descriptor_name(enum scaler_descriptor descriptor);

#endif
