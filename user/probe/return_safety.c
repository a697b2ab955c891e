// SPDX-License-Identifier: GPL-2.0-only
/* Where a probe on the return of functions does no harm: by the names of functions, and by what files import. */
#include "probe/return_safety.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "target/component.h"
#include "target/libc_functions.h"

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

/* What the code of a file may do. */
enum ability {
	UNWINDS = 1, /* through frames whatever they belong to */
	ENDS_THREADS = 2,
	CANCELS_THREADS = 4,
	CLEANS_UP = 8,   /* frames of its own run code as they are unwound */
	CALLS_BACK = 16, /* from functions of the C library whose declarations do not show it */
	IS_UNKNOWN = 32,
};

/*
 * It imports one of these then. That a thread may be cancelled at any time, by pthread_setcanceltype(), adds nothing:
 * POSIX lets it call no function then that could be timed.
 */
static const struct {
	const char *name;
	unsigned int abilities;
} signs[] = {
	{ "_Unwind_RaiseException", UNWINDS },
	{ "_Unwind_ForcedUnwind", UNWINDS },
	{ "_Unwind_Backtrace", UNWINDS },
	{ "__cxa_throw", UNWINDS },
	{ "backtrace", UNWINDS },
	/* They serve unwinders that are linked into a file. */
	{ "dl_iterate_phdr", UNWINDS | CLEANS_UP },
	{ "_dl_find_object", UNWINDS | CLEANS_UP },
	{ "_Unwind_Resume", CLEANS_UP },
	{ "pthread_exit", ENDS_THREADS },
	{ "thrd_exit", ENDS_THREADS },
	{ "pthread_cancel", CANCELS_THREADS },
	{ "fopencookie", CALLS_BACK },
	{ "register_printf_function", CALLS_BACK },
	{ "register_printf_specifier", CALLS_BACK },
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

unsigned int return_safety_of_function(const char *library, const char *name)
{
	switch (libc_functions_find(library, name)) {
	case LIBC_THROWS_NOTHING:
		return RETURN_ANYWHERE;
	case LIBC_CALLS_NOTHING:
		return RETURN_ANYWHERE | RETURN_CANCELS;
	case LIBC_PROMISES_NOTHING:
		break;
	}
	return RETURN_ANYWHERE | RETURN_CANCELS | RETURN_UNWINDS;
}

static unsigned int abilities_by_import(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (!strcmp(signs[i].name, name))
			return signs[i].abilities;
	}
	return 0;
}

static unsigned int abilities_of_file(const struct linked_file *file)
{
	unsigned int found = 0;

	/* What a file that could not be read refers to is not known. */
	if (file->error)
		return IS_UNKNOWN;
	if (is_among(component_name(&file->component), exempt, ARRAY_SIZE(exempt)))
		return 0;
	for (size_t i = 0; i < file->linkage.import_count; i++)
		found |= abilities_by_import(file->linkage.imports[i].name);
	return found;
}

int return_safety_make(struct return_safety *safety, const struct linked_files *files)
{
	safety->files = files;
	safety->abilities = calloc(files->count + 1, sizeof(*safety->abilities));
	if (!safety->abilities)
		return -ENOMEM;
	for (size_t i = 0; i < files->count; i++)
		safety->abilities[i] = abilities_of_file(&files->items[i]);
	return 0;
}

void return_safety_clear(struct return_safety *safety)
{
	free(safety->abilities);
	*safety = (struct return_safety){ 0 };
}

static bool has_mapped(const struct linked_file *file, pid_t pid)
{
	for (size_t i = 0; i < file->process_count; i++) {
		if (file->processes[i] == pid)
			return true;
	}
	return false;
}

/*
 * A thread that ends or is cancelled unwinds its stack to clean up. It finds no frame above one whose return is probed,
 * and the C library then goes on as if it had reached the outermost: it still runs what pthread_cleanup_push() has
 * registered in C, and would miss no more than what compilers generate.
 */
static unsigned int hazards_of(unsigned int abilities)
{
	bool cancels = abilities & CLEANS_UP && abilities & CANCELS_THREADS,
	     unwinds = abilities & UNWINDS || cancels || (abilities & CLEANS_UP && abilities & ENDS_THREADS);

	if (abilities & IS_UNKNOWN)
		return RETURN_ANYWHERE;
	return (unwinds ? RETURN_UNWINDS : 0) |
	       (cancels || (unwinds && abilities & CALLS_BACK) ? RETURN_CANCELS : 0);
}

unsigned int return_safety_of_process(const struct return_safety *safety, pid_t pid)
{
	unsigned int found = 0;

	for (size_t i = 0; i < safety->files->count; i++) {
		if (!pid || has_mapped(&safety->files->items[i], pid))
			found |= safety->abilities[i];
	}
	return hazards_of(found);
}
