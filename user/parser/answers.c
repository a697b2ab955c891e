// SPDX-License-Identifier: GPL-2.0-only
/* Which function answers which question. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "elf/unwind_table.h"
#include "parser/answer.h"

static const answer_function functions[QUESTIONS] = {
	[QUESTION_LINKAGE] = answer_linkage,     [QUESTION_PLACES] = answer_places,
	[QUESTION_GENERATED] = answer_generated, [QUESTION_DEMANGLED] = answer_demangled,
	[QUESTION_RULES] = answer_rules,         [QUESTION_RULE] = answer_rule,
	[QUESTION_CODE] = answer_code,           [QUESTION_ENTRIES] = answer_entries,
	[QUESTION_EXITS] = answer_exits,         [QUESTION_TARGETS] = answer_targets,
};

int answers_open(struct answers **answers)
{
	*answers = calloc(1, sizeof(**answers));
	return *answers ? 0 : -ENOMEM;
}

void answers_close(struct answers *answers)
{
	if (!answers)
		return;
	for (size_t i = 0; i < ANSWERS_TABLES; i++)
		unwind_table_close(answers->tables[i]);
	free(answers);
}

void answers_give(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		  struct message *answer)
{
	uint64_t number = message_get_number(question);
	int status;

	message_put_number(answer, 0);
	status = number < QUESTIONS ? functions[number](answers, question, files, answer) : -ENOSYS;
	if (!status && question->failed)
		status = -EPROTO;
	if (!status && answer->failed)
		status = -ENOMEM;
	if (!status)
		return;
	message_clear(answer);
	message_put_number(answer, (uint64_t)status);
}
