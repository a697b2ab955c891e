// SPDX-License-Identifier: GPL-2.0-only
/* The table of system calls against the system's own headers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "model/syscalls.h"

/* Every __NR_ macro of a header, as the C preprocessor resolves it, must be in our table. */
static void compare_with_header(enum syscall_table table, const char *command)
{
	FILE *header = popen(command, "r");
	char line[256], name[64];
	unsigned int number;
	int seen = 0;

	cr_assert(header);
	while (fgets(line, sizeof(line), header)) {
		const struct syscall_info *info;

		if (sscanf(line, "%63s %u", name, &number) != 2)
			continue;
		seen++;
		info = syscall_find(table, number);
		cr_expect(info, "%s (%u) is missing", name, number);
		cr_expect_str_eq(info ? info->name : "", name);
	}
	pclose(header);
	cr_assert_gt(seen, 300);
}

/* Prints "name number" for the macros of a header, those defined by others (__NR3264_) too. */
#define LIST(before, header)                                                                                 \
	"names=$(printf '" before "\\n#include <" header ">\\n' | cc -E -dM - |"                             \
	" sed -n 's/^#define __NR_\\([a-z0-9_]*\\) .*/\\1/p' |"                                              \
	" grep -vxE 'syscalls|arch_specific_syscall');"                                                      \
	"{ printf '" before "\\n#include <" header ">\\n';"                                                  \
	" for name in $names; do echo \"scaler_row $name! __NR_$name\"; done; } | cc -E -P - |"              \
	" sed -n 's/^scaler_row \\([a-z0-9_]*\\)! *(*\\([0-9]*\\))*$/\\1 \\2/p'"

Test(syscalls, x86_64_as_in_the_header)
{
	compare_with_header(SYSCALL_TABLE_X86_64, LIST("", "asm/unistd_64.h"));
}

Test(syscalls, i386_as_in_the_header)
{
	compare_with_header(SYSCALL_TABLE_I386, LIST("", "asm/unistd_32.h"));
}

/* With the choices that arm64 makes in its asm/unistd.h. */
Test(syscalls, generic_as_in_the_header)
{
	compare_with_header(SYSCALL_TABLE_GENERIC,
			    LIST("#define __BITS_PER_LONG 64\\n#define __ARCH_WANT_RENAMEAT\\n"
				 "#define __ARCH_WANT_NEW_STAT\\n#define __ARCH_WANT_SET_GET_RLIMIT\\n"
				 "#define __ARCH_WANT_TIME32_SYSCALLS\\n"
				 "#define __ARCH_WANT_SYS_CLONE3\\n"
				 "#define __ARCH_WANT_MEMFD_SECRET",
				 "asm-generic/unistd.h"));
}

Test(syscalls, every_call_once_and_in_one_category)
{
	for (int table = 0; table < SYSCALL_TABLE_COUNT; table++) {
		for (unsigned int a = 0; a < SCALER_CALL_NUMBERS; a++) {
			const struct syscall_info *info = syscall_find(table, a);

			if (!info)
				continue;
			cr_expect_lt(info->category, CATEGORY_UNKNOWN, "%s", info->name);
			cr_expect_eq(info->numbers[table], (int)a, "%s", info->name);
		}
	}
}

Test(syscalls, unknown_numbers_are_said)
{
	char text[SYSCALL_NAME_SIZE];

	cr_assert_null(syscall_find_abi(SCALER_ABI_NATIVE, 400));
	cr_assert_null(syscall_find_abi(SCALER_ABI_NATIVE, 65535));
	cr_assert_str_eq(syscall_format(SCALER_ABI_NATIVE, 65535, text), "unknown:65535");
	cr_assert_eq(syscall_category(SCALER_ABI_NATIVE, 65535, SCALER_DESCRIPTOR_NONE), CATEGORY_UNKNOWN);
}

Test(syscalls, compat_calls_have_their_own_numbers)
{
	char text[SYSCALL_NAME_SIZE];

	cr_assert_str_eq(syscall_format(SCALER_ABI_COMPAT, 20, text), "i386:getpid");
	cr_assert_eq(syscall_category(SCALER_ABI_COMPAT, 20, SCALER_DESCRIPTOR_NONE), CATEGORY_PROCESS);
}

Test(syscalls, descriptors_refine)
{
	static const struct {
		unsigned int number;
		enum scaler_descriptor descriptor;
		enum syscall_category category;
	} cases[] = {
		{ 0, SCALER_DESCRIPTOR_NONE, CATEGORY_FILE_IO },
		{ 0, SCALER_DESCRIPTOR_REGULAR, CATEGORY_FILE_IO },
		{ 0, SCALER_DESCRIPTOR_SOCKET, CATEGORY_NETWORK },
		{ 1, SCALER_DESCRIPTOR_PIPE, CATEGORY_IPC },
		{ 0, SCALER_DESCRIPTOR_TIMERFD, CATEGORY_TIME },
		{ 47, SCALER_DESCRIPTOR_UNIX, CATEGORY_IPC },
		{ 0, SCALER_DESCRIPTOR_BAD, CATEGORY_FILE_IO },
		{ 7, SCALER_DESCRIPTOR_NONE, CATEGORY_POLL },
		{ 202, SCALER_DESCRIPTOR_NONE, CATEGORY_SYNC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_expect_eq(syscall_category(SCALER_ABI_NATIVE, cases[i].number, cases[i].descriptor),
			     cases[i].category, "case %zu", i);
}
