// SPDX-License-Identifier: GPL-2.0-only
/* Where a probe on the return of functions does no harm: by the names of functions, and by what files import. */
#include "probe/return_safety.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <scaler/return_hazard.h>

#include "base/array.h"
#include "target/component.h"
#include "target/libc_functions.h"
#include "target/process.h"

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
	"_Unwind_Backtrace",
	"__libc_start_main",
	"__libc_start_call_main",
	"backtrace",
};

/* RTLD_NEXT, search paths and namespaces are the caller's; profiling counts by it. */
static const char *const looking_back[] = {
	"dlopen", "dlmopen", "dlsym", "dlvsym", "mcount", "_mcount", "__fentry__",
};

/* What code calls for its compiler, and what C++'s standard lets throw nothing, whosever it is. */
static const char *const never_throwing[] = {
	"__tls_get_addr",
	"__stack_chk_fail",
	"__cxa_guard_release",
	"__cxa_guard_abort",
	"__cxa_begin_catch",
	"__cxa_allocate_exception",
	"__cxa_free_exception",
	"_ZdlPv", /* operators delete, for one and many */
	"_ZdlPvm",
	"_ZdaPv",
	"_ZdaPvm",
	"_ZSt9terminatev",
};

/*
 * It imports one of these then. That a thread may be cancelled at any time, by pthread_setcanceltype(), adds nothing:
 * POSIX lets it call no function then that could be timed.
 */
static const struct {
	const char *name;
	uint32_t abilities;
} signs[] = {
	{ "_Unwind_RaiseException", SCALER_UNWINDS },
	{ "_Unwind_ForcedUnwind", SCALER_UNWINDS },
	{ "_Unwind_Backtrace", SCALER_UNWINDS },
	{ "__cxa_throw", SCALER_UNWINDS },
	{ "backtrace", SCALER_UNWINDS },
	/* They serve unwinders that are linked into a file. */
	{ "dl_iterate_phdr", SCALER_UNWINDS | SCALER_CLEANS_UP },
	{ "_dl_find_object", SCALER_UNWINDS | SCALER_CLEANS_UP },
	{ "_Unwind_Resume", SCALER_CLEANS_UP },
	{ "pthread_exit", SCALER_ENDS_THREADS },
	{ "thrd_exit", SCALER_ENDS_THREADS },
	{ "pthread_cancel", SCALER_CANCELS_THREADS },
	{ "ptrace", SCALER_TRACES },
	{ "fopencookie", SCALER_CALLS_BACK },
	{ "register_printf_function", SCALER_CALLS_BACK },
	{ "register_printf_specifier", SCALER_CALLS_BACK },
};

/* They have those for others: libc for its pthread_exit() and backtrace(), which others would have to import. */
static const char *const exempt[] = { "libc.so.6", "libpthread.so.0", "libgcc_s.so.1" };

static bool is_among(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(names[i], name))
			return true;
	}
	return false;
}

enum plan_untimed return_safety_of_name(const char *name)
{
	if (is_among(name, leaving, ARRAY_SIZE(leaving)))
		return PLAN_LEAVES;
	return is_among(name, looking_back, ARRAY_SIZE(looking_back)) ? PLAN_LOOKS_BACK : PLAN_TIMED;
}

static uint32_t hazards_by_promise(enum libc_promise promise)
{
	switch (promise) {
	case LIBC_THROWS_NOTHING:
		return 0;
	case LIBC_CALLS_NOTHING:
		return SCALER_RETURN_CANCELS;
	case LIBC_PROMISES_NOTHING:
		break;
	}
	return RETURN_SAFETY_UNPROVEN;
}

uint32_t return_safety_of_function(const char *library, const char *name)
{
	return SCALER_RETURN_ANYWHERE | SCALER_RETURN_UNKNOWN | SCALER_RETURN_TRACED |
	       hazards_by_promise(libc_functions_find(library, name));
}

uint32_t return_safety_of_call(const char *name, const char *version)
{
	static const char libc[] = "GLIBC_";

	if (is_among(name, never_throwing, ARRAY_SIZE(never_throwing)))
		return 0;
	/* Only its own functions have its versions, and whoever takes their place keeps what they promise. */
	return strncmp(version, libc, strlen(libc)) ? RETURN_SAFETY_UNPROVEN :
						      hazards_by_promise(libc_functions_promise(name));
}

static uint32_t abilities_by_import(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (!strcmp(signs[i].name, name))
			return signs[i].abilities;
	}
	return 0;
}

uint32_t return_safety_of_file(const struct linked_file *file)
{
	/* Go grows a stack by copying it elsewhere, and reads its frames as it does. */
	uint32_t found = file->linkage.is_go ? SCALER_MOVES_STACKS : 0;

	/* What a file that could not be read refers to is not known. */
	if (file->error)
		return SCALER_IS_UNKNOWN;
	if (is_among(component_name(&file->component), exempt, ARRAY_SIZE(exempt)))
		return 0;
	for (size_t i = 0; i < file->linkage.import_count; i++)
		found |= abilities_by_import(file->linkage.imports[i].name);
	return found;
}

uint32_t return_safety_of_process(pid_t pid)
{
	struct process process;

	return !process_inspect(&process, pid) && process.tracer ? SCALER_RETURN_TRACED : 0;
}
