// SPDX-License-Identifier: GPL-2.0-only
/* By the names of functions, in order of what they belong to. */
#include "plan/call_ends.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

/* They return twice, go on elsewhere, or are what everything else is called from. Of libc and coroutine libraries. */
static const char *const leaving[] = {
	"setjmp",
	"_setjmp",
	"__sigsetjmp",
	"sigsetjmp",
	"longjmp",
	"_longjmp",
	"siglongjmp",
	"__longjmp_chk",
	"vfork",
	"__vfork",
	"getcontext",
	"__getcontext_ret",
	"setcontext",
	"swapcontext",
	"jump_fcontext",
	"ontop_fcontext",
	"co_switch",
	"coro_transfer",
	"pthread_exit",
	"thrd_exit",
	"__pthread_unwind_next",
	"__cxa_throw",
	"__cxa_rethrow",
	"_Unwind_Resume",
	"_Unwind_Resume_or_Rethrow",
	"_Unwind_RaiseException",
	"_Unwind_ForcedUnwind",
	"__libc_start_main",
	"__libc_start_call_main",
};

enum plan_untimed call_ends_untimed(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(leaving); i++) {
		if (!strcmp(leaving[i], name))
			return PLAN_LEAVES;
	}
	return PLAN_TIMED;
}
