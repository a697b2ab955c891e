// SPDX-License-Identifier: GPL-2.0-only
/* The table of the C library's functions. */
#include "target/libc_functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const struct libc_function functions[] = {
#include "libc_functions.inc"
};

/* The GNU C library's files; until 2.33 it had threads and timers in files of their own. */
static const char *const libraries[] = {
	"libc.so.6", "libm.so.6", "libpthread.so.0", "librt.so.1", "libresolv.so.2",
};

static int compare(const void *name, const void *function)
{
	return strcmp(name, ((const struct libc_function *)function)->name);
}

enum libc_promise libc_functions_promise(const char *name)
{
	const struct libc_function *found =
		bsearch(name, functions, ARRAY_SIZE(functions), sizeof(*functions), compare);

	return found ? found->promise : LIBC_PROMISES_NOTHING;
}

bool libc_functions_include(const char *library)
{
	for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
		if (!strcmp(libraries[i], library))
			return true;
	}
	return false;
}

enum libc_promise libc_functions_find(const char *library, const char *name)
{
	return libc_functions_include(library) ? libc_functions_promise(name) : LIBC_PROMISES_NOTHING;
}

const struct libc_function *libc_functions_all(size_t *count)
{
	*count = ARRAY_SIZE(functions);
	return functions;
}
