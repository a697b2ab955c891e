// SPDX-License-Identifier: GPL-2.0-only
/* Where a probe on the return of functions does no harm: by the names of functions, and by what files import. */
#include "probe/return_safety.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "target/component.h"

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

/*
 * Who imports one of these may look through the frames of functions. The last two serve unwinders that are linked into
 * a file.
 */
static const char *const unwinding[] = {
	"_Unwind_RaiseException", "_Unwind_Resume", "_Unwind_ForcedUnwind",
	"_Unwind_Backtrace",      "__cxa_throw",    "pthread_cancel",
	"pthread_exit",           "backtrace",      "dl_iterate_phdr",
	"_dl_find_object",
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

static const char *find_unwinder(const struct linked_file *file)
{
	if (is_among(component_name(&file->component), exempt, ARRAY_SIZE(exempt)))
		return NULL;
	for (size_t i = 0; i < file->linkage.import_count; i++) {
		if (is_among(file->linkage.imports[i].name, unwinding, ARRAY_SIZE(unwinding)))
			return file->linkage.imports[i].name;
	}
	return NULL;
}

int return_safety_make(struct return_safety *safety, const struct linked_files *files)
{
	safety->files = files;
	safety->unwinders = calloc(files->count + 1, sizeof(char *));
	if (!safety->unwinders)
		return -ENOMEM;
	for (size_t i = 0; i < files->count; i++)
		safety->unwinders[i] = find_unwinder(&files->items[i]);
	return 0;
}

void return_safety_clear(struct return_safety *safety)
{
	free(safety->unwinders);
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

bool return_safety_of_process(const struct return_safety *safety, pid_t pid)
{
	for (size_t i = 0; i < safety->files->count; i++) {
		const struct linked_file *file = &safety->files->items[i];

		/* What a file that could not be read refers to is not known. */
		if ((safety->unwinders[i] || file->error) && (!pid || has_mapped(file, pid)))
			return false;
	}
	return true;
}
