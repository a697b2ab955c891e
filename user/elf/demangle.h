/* SPDX-License-Identifier: GPL-2.0-only */
/* The names that C++ and Rust programmers gave to their functions. */
#ifndef SCALER_ELF_DEMANGLE_H
#define SCALER_ELF_DEMANGLE_H

/*
 * The function's name with its namespaces and template arguments, without its parameters, in memory of its own
 * for the caller to free. NULL: the name is not mangled, what it stands for is too long, or there is no memory.
 */
char *demangle(const char *name);

#endif
