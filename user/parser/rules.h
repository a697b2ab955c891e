/* SPDX-License-Identifier: GPL-2.0-only */
/* Unwind rules, as the parser finds them in the files that it has been given. */
#ifndef SCALER_PARSER_RULES_H
#define SCALER_PARSER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include <scaler/unwind.h>

#include "parser/parser.h"

/* A file whose rules are asked for. */
struct parser_table {
	uint32_t generation; /* of the process that has it: parser_generation() */
	uint64_t number;
};

/*
 * Gives the parser an open file, and what may be its debug file or -1; both stay the caller's. Returns 0; -ENOEXEC: it is no
 * ELF file of this machine that can be read; or as parser_ask().
 */
int parser_open_table(struct parser *parser, int fd, int debug_fd, struct parser_table *table);

/* What can be asked of a place in the file. */
enum parser_rule {
	PARSER_RULE_INTERRUPTED, /* of an instruction that was not yet executed */
	PARSER_RULE_IN_CALL,     /* of the last byte of a call, or of a system call, that is under way */
};

/*
 * The rule at that offset in the file; where no table covers it, that of a frame pointer. Returns 0; -ESTALE: the process does
 * not have the table any more, and it is to be opened again; or as parser_ask().
 */
int parser_find_rule(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
		     enum parser_rule kind, struct scaler_unwind_rule *rule);

/* The eight bytes of the file at that offset. Returns the same; -ENODATA: it has none there. */
int parser_read_code(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
		     uint64_t *word);

#endif
