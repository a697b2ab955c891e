/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the C library's own headers say of its functions: which no exception can pass. The table is made of the headers
 * of the machine that builds, by scripts/libc-functions; such promises are not taken back from one release to the next.
 */
#ifndef SCALER_TARGET_LIBC_FUNCTIONS_H
#define SCALER_TARGET_LIBC_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum libc_promise {
	LIBC_PROMISES_NOTHING, /* it is not declared, or is given a function to call */
	LIBC_CALLS_NOTHING,    /* of the program's; but threads may be cancelled in it */
	LIBC_THROWS_NOTHING,   /* nor are threads cancelled in it */
};

struct libc_function {
	const char *name; /* as the linker knows it */
	enum libc_promise promise;
};

/* Whether that is the name of one of the library's files. */
bool libc_functions_include(const char *library);

/* Of the library's function with that name. */
enum libc_promise libc_functions_promise(const char *name);

/* Of the function with that name in that library, by the name of its file. */
enum libc_promise libc_functions_find(const char *library, const char *name);

/* All of them, by name; for tests. */
const struct libc_function *libc_functions_all(size_t *count);

#endif
