/* SPDX-License-Identifier: GPL-2.0-only */
/* The unwind rules of sites: each component's file is read when one of its sites is first asked for. */
#ifndef SCALER_TARGET_CODE_RULES_H
#define SCALER_TARGET_CODE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/component.h>
#include <scaler/unwind.h>

#include "parser/rules.h"

/* What the parser has said of a site. */
struct known_site {
	uint64_t site; /* 0: free */
	uint64_t word; /* eight bytes of code */
	struct scaler_unwind_rule in_call;
	struct scaler_unwind_rule interrupted;
	bool has_in_call, has_interrupted;
	bool has_word, is_code; /* is_code: there is a word */
};

/* A component's file, once one of its sites was asked for. */
struct rules_file {
	struct parser_table table;
	bool tried;
	bool is_open;
};

struct code_rules {
	struct parser *parser; /* the caller's */
	void *context;
	/* Describes the component of that number; false: it is not known. The caller's. */
	bool (*describe)(void *context, uint32_t number, struct scaler_component *description);
	/* Opens its file: as held_files_open(). The caller's. */
	int (*open_file)(void *context, const struct scaler_component *description);
	/* Called with each new rule. The caller's. */
	void (*learned)(void *context, uint64_t site, struct scaler_unwind_rule rule);
	struct rules_file *files; /* owned; by component */
	struct known_site *known; /* owned; open addressing by site */
	size_t known_count;
	size_t rule_count; /* that learned() was called with */
	size_t known_size; /* a power of two, or 0 */
};

/*
  * The rule of a site in a call. Where no table covers the code of a file, it is that of a frame pointer. Without memory
 * it is that of an instruction whose rule cannot be known.
 */
struct scaler_unwind_rule code_rules_find(struct code_rules *rules, uint64_t site);

/* The same of an instruction that was interrupted; learned() is not called. */
struct scaler_unwind_rule code_rules_find_interrupted(struct code_rules *rules, uint64_t site);

/* Eight bytes of code from a site on, as its component's file has them; false: they are in none that can be read. */
bool code_rules_read(struct code_rules *rules, uint64_t site, uint64_t *word);

/* Frees all that is owned. */
void code_rules_clear(struct code_rules *rules);

#endif
