/* SPDX-License-Identifier: GPL-2.0-only */
/* The answering side of each question. */
#ifndef SCALER_PARSER_ANSWER_H
#define SCALER_PARSER_ANSWER_H

#include "parser/question.h"

/* Takes what the question says, and adds to the answer. Returns the answer's status. */
typedef int (*answer_function)(struct answers *answers, struct message *question,
			       const int files[CHANNEL_FILES], struct message *answer);

int answer_linkage(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_places(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_generated(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_demangled(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_rules(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_rule(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_code(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_entries(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_exits(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);
int answer_targets(struct answers *, struct message *, const int files[CHANNEL_FILES], struct message *);

/* The tables whose rules are asked for, of which the latest are kept open. */
#define ANSWERS_TABLES 256

struct unwind_table;

struct answers {
	struct unwind_table *tables[ANSWERS_TABLES]; /* by number */
	uint64_t opened;                             /* the number of the next, modulo the above */
};

#endif
