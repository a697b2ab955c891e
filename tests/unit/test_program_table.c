// SPDX-License-Identifier: GPL-2.0-only
/* Which programs are loaded, on kernels of all sorts. */
#include <criterion/criterion.h>

#include "base/array.h"
#include "plan/program_table.h"

#define NAMES         3
#define FEATURE(name) (1U << FEATURE_##name)

/* Those that tell the same in different ways. */
static const struct {
	const char *names[NAMES];
	unsigned int one_of; /* these features one must be there for any of them; 0: none must */
} ways[] = {
	{ { "scaler_switch", "scaler_switch_blocking" }, 0 },
	{ { "scaler_waking", "scaler_waking_blocking" }, 0 },
	{ { "scaler_sys_enter", "scaler_sys_enter_raw", "scaler_call_function" },
	  FEATURE(RAW_SYSCALLS) | FEATURE(KPROBE_MULTI) },
	{ { "scaler_sys_exit", "scaler_sys_exit_raw", "scaler_call_function_return" },
	  FEATURE(RAW_SYSCALLS) | FEATURE(KPROBE_MULTI) },
};

static int count_applying(const char *const names[NAMES], const bool uses[USE_COUNT], unsigned int features)
{
	int count = 0;

	for (size_t i = 0; i < NAMES && names[i]; i++)
		count += program_row_applies(program_row_find(names[i]), uses, features);
	return count;
}

Test(program_table, one_way_on_every_kernel)
{
	for (unsigned int features = 0; features < 1U << FEATURE_COUNT; features++) {
		/* Who has BTF tracepoints has tracepoints: features_leave_out(). */
		if (features & FEATURE(BTF_SYSCALLS) && !(features & FEATURE(RAW_SYSCALLS)))
			continue;
		for (int blocking = 0; blocking < 2; blocking++) {
			const bool uses[USE_COUNT] = {
				[USE_CALLS] = true, [USE_STATES] = !blocking, [USE_BLOCKING] = blocking
			};

			for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
				bool is_possible = !ways[i].one_of || features & ways[i].one_of;

				cr_expect_eq(count_applying(ways[i].names, uses, features), is_possible,
					     "%s on a kernel with features %#x", ways[i].names[0], features);
			}
		}
	}
}

Test(program_table, nothing_unasked)
{
	const bool uses[USE_COUNT] = { [USE_ALWAYS] = true };
	const unsigned int all = (1U << FEATURE_COUNT) - 1;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		cr_expect_eq(count_applying(ways[i].names, uses, all), 0, "%s", ways[i].names[0]);
	cr_expect(program_row_applies(program_row_find("scaler_task_exit"), uses, 0));
	cr_expect(program_row_applies(program_row_find("scaler_task_freed"), uses,
				      all & ~FEATURE(TASK_STORAGE)));
	cr_expect_not(program_row_applies(program_row_find("scaler_task_freed"), uses, all));
}

Test(program_table, unknown)
{
	cr_expect_null(program_row_find("scaler_switc"));
	cr_expect_null(program_row_find(""));
}
