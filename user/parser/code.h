/* SPDX-License-Identifier: GPL-2.0-only */
/* What links files, and what their code says, as the parser finds it. */
#ifndef SCALER_PARSER_CODE_H
#define SCALER_PARSER_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "code/code_exits.h"
#include "code/probe_entry.h"
#include "elf/linkage.h"
#include "parser/parser.h"

/* As linkage_read(), or as parser_ask(). */
int parser_read_linkage(struct parser *parser, int fd, struct linkage *linkage);

/* Where functions at those offsets in an open file are probed: as probe_entries_find(). Returns 0 or as parser_ask(). */
int parser_find_entries(struct parser *parser, int fd, const uint64_t *offsets, size_t count,
			struct probe_entry *entries);

/*
 * Where the code of functions at those addresses, by the file's own numbers, ends: as code_exits_find(). *found: how many the
 * parser has looked at within limit_ns. Returns 0 or as parser_ask().
 */
int parser_find_exits(struct parser *parser, int fd, const uint64_t *addresses, size_t count,
		      uint64_t limit_ns, struct code_exits *exits, size_t *found);

/*
 * What the calls that end at those offsets in an open file lead to: names that the caller frees, or NULL where the instruction
 * does not tell. Returns 0 or as parser_ask().
 */
int parser_find_targets(struct parser *parser, int fd, const uint64_t *offsets, size_t count, char **names);

#endif
