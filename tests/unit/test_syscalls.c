// SPDX-License-Identifier: GPL-2.0-only
/* The table of system calls against the system's own header. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "model/syscalls.h"

Test(syscalls, same_as_the_systems_header)
{
	FILE *header = popen("echo '#include <asm/unistd_64.h>' | cc -E -dM -", "r");
	char line[256], name[64];
	unsigned int number;
	int seen = 0;

	cr_assert(header);
	while (fgets(line, sizeof(line), header)) {
		if (sscanf(line, "#define __NR_%63s %u", name, &number) != 2)
			continue;
		seen++;
		cr_expect(syscall_name(SCALER_ABI_NATIVE, number), "%u is missing", number);
		cr_expect_str_eq(syscall_name(SCALER_ABI_NATIVE, number) ?: "", name);
	}
	pclose(header);
	cr_assert_gt(seen, 300);
}

Test(syscalls, unknown_numbers_are_said)
{
	char text[SYSCALL_NAME_SIZE];

	cr_assert_null(syscall_name(SCALER_ABI_NATIVE, 400));
	cr_assert_null(syscall_name(SCALER_ABI_NATIVE, 65535));
	cr_assert_str_eq(syscall_format(SCALER_ABI_NATIVE, 65535, text), "unknown:65535");
	cr_assert_str_eq(syscall_format(SCALER_ABI_COMPAT, 20, text), "i386:20");
}
