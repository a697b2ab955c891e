/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parser is asked. A question is its number and what is said for each; an answer is 0 or a negative errno, then what is
 * said here. Each stands in one file, both sides of it: what the one puts, the other gets.
 */
#ifndef SCALER_PARSER_QUESTION_H
#define SCALER_PARSER_QUESTION_H

#include "parser/channel.h"

enum question {
	QUESTION_LINKAGE,
	QUESTION_PLACES,
	QUESTION_GENERATED,
	QUESTION_DEMANGLED,
	QUESTION_RULES,
	QUESTION_RULE,
	QUESTION_CODE,
	QUESTION_ENTRIES,
	QUESTION_EXITS,
	QUESTION_TARGETS,
	QUESTIONS,
};

/* What is kept between questions. */
struct answers;

int answers_open(struct answers **answers);
void answers_close(struct answers *answers);

/* Answers one; the files stay the caller's. */
void answers_give(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		  struct message *answer);

#endif
