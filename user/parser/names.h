/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of code, as the parser finds them in files. None is trusted. */
#ifndef SCALER_PARSER_NAMES_H
#define SCALER_PARSER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/symbol_places.h"
#include "parser/parser.h"

/*
 * What is at offsets in an open file, whose debug file is debug_fd or -1. *has_functions: it has symbols of any. Returns 0 with
 * places whose names the caller frees; -ENOEXEC: it is no ELF file that can be read; or as parser_ask().
 */
int parser_name_places(struct parser *parser, int fd, int debug_fd, const uint64_t *offsets, size_t count,
		       struct symbol_place *places, bool *has_functions);

/*
 * By an open perf map what code at addresses, which ascend, is called: names that the caller frees, or NULL. Returns 0,
 * -EFBIG, or as parser_ask().
 */
int parser_name_generated(struct parser *parser, int fd, const uint64_t *addresses, size_t count,
			  char **names);

/* As demangle(), of several: NULL where there is nothing to say. Returns 0 or as parser_ask(). */
int parser_demangle(struct parser *parser, const char *const *names, size_t count, char **readable);

#endif
