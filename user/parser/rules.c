// SPDX-License-Identifier: GPL-2.0-only
/* Tables are kept open in the process, and asked for by number. */
#include "parser/rules.h"

#include <errno.h>

#include "elf/unwind_table.h"
#include "parser/answer.h"

int answer_rules(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		 struct message *answer)
{
	struct unwind_table **place = &answers->tables[answers->opened % ANSWERS_TABLES], *table;
	int err = unwind_table_open(&table, files[0], files[1]);

	(void)question;
	if (err)
		return err;
	unwind_table_close(*place);
	*place = table;
	message_put_number(answer, answers->opened++);
	return 0;
}

/* The table of that number; NULL: it is none of the latest. */
static struct unwind_table *find_table(const struct answers *answers, uint64_t number)
{
	bool is_kept = number < answers->opened && answers->opened - number <= ANSWERS_TABLES;

	return is_kept ? answers->tables[number % ANSWERS_TABLES] : NULL;
}

int answer_rule(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		struct message *answer)
{
	struct unwind_table *table = find_table(answers, message_get_number(question));
	uint64_t offset = message_get_number(question);
	bool in_call = message_get_number(question) == PARSER_RULE_IN_CALL;
	struct scaler_unwind_rule rule;

	(void)files;
	if (!table)
		return -ESTALE;
	rule = unwind_table_find_offset(table, offset, in_call);
	/* What no table describes may have been compiled with frame pointers. */
	if (rule.kind == SCALER_UNWIND_CANNOT && rule.cfa_offset <= SCALER_UNWIND_NOT_COVERED)
		rule = unwind_table_frame_pointer(table, offset);
	message_put(answer, &rule, sizeof(rule));
	return 0;
}

int answer_code(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		struct message *answer)
{
	struct unwind_table *table = find_table(answers, message_get_number(question));
	uint64_t word;

	(void)files;
	if (!table)
		return -ESTALE;
	if (!unwind_table_read(table, message_get_number(question), &word))
		return -ENODATA;
	message_put_number(answer, word);
	return 0;
}

int parser_open_table(struct parser *parser, int fd, int debug_fd, struct parser_table *table)
{
	const int files[CHANNEL_FILES] = { fd, debug_fd };
	struct message question = { 0 }, answer;
	int err;

	message_put_number(&question, QUESTION_RULES);
	err = parser_ask(parser, &question, files, &answer);
	table->generation = parser_generation(parser);
	table->number = message_get_number(&answer);
	if (!err && answer.failed)
		err = -EPROTO;
	message_clear(&question);
	message_clear(&answer);
	return err;
}

/* Asks for what the table has at an offset; the answer is size bytes. */
static int ask_table(struct parser *parser, const struct parser_table *table, struct message *question,
		     void *bytes, size_t size)
{
	static const int no_files[CHANNEL_FILES] = { -1, -1 };
	struct message answer = { 0 };
	int err = -ESTALE;

	if (parser_generation(parser) == table->generation)
		err = parser_ask(parser, question, no_files, &answer);
	message_get(&answer, bytes, size);
	if (!err && answer.failed)
		err = -EPROTO;
	message_clear(question);
	message_clear(&answer);
	return err;
}

int parser_find_rule(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
		     enum parser_rule kind, struct scaler_unwind_rule *rule)
{
	struct message question = { 0 };
	int err;

	message_put_number(&question, QUESTION_RULE);
	message_put_number(&question, table->number);
	message_put_number(&question, file_offset);
	message_put_number(&question, kind);
	err = ask_table(parser, table, &question, rule, sizeof(*rule));
	if (!err && (rule->kind == SCALER_UNWIND_UNKNOWN || rule->kind >= SCALER_UNWIND_KINDS))
		err = -EPROTO;
	return err;
}

int parser_read_code(struct parser *parser, const struct parser_table *table, uint64_t file_offset,
		     uint64_t *word)
{
	struct message question = { 0 };

	message_put_number(&question, QUESTION_CODE);
	message_put_number(&question, table->number);
	message_put_number(&question, file_offset);
	return ask_table(parser, table, &question, word, sizeof(*word));
}
