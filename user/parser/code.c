// SPDX-License-Identifier: GPL-2.0-only
/* Beginnings and ends of functions, and what calls lead to. */
#include "parser/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "code/call_targets.h"
#include "parser/answer.h"
#include "parser/values.h"

int answer_entries(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		   struct message *answer)
{
	struct probe_entries *entries = probe_entries_open(files[0]);
	size_t count = message_get_count(question, sizeof(uint64_t));

	(void)answers;
	if (!entries)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		struct probe_entry entry = probe_entries_find(entries, message_get_number(question));

		message_put_number(answer, entry.fault);
		message_put_number(answer, entry.kind);
		message_put_number(answer, entry.skipped);
	}
	probe_entries_close(entries);
	return 0;
}

int parser_find_entries(struct parser *parser, int fd, const uint64_t *offsets, size_t count,
			struct probe_entry *entries)
{
	const int files[CHANNEL_FILES] = { fd, -1 };
	struct message question = { 0 }, answer;
	int err;

	message_put_number(&question, QUESTION_ENTRIES);
	message_put_numbers(&question, offsets, count);
	err = parser_ask(parser, &question, files, &answer);
	for (size_t i = 0; !err && i < count; i++) {
		uint64_t fault = message_get_number(&answer), kind = message_get_number(&answer);
		uint64_t skipped = message_get_number(&answer);

		if (answer.failed || fault > PROBE_SITE_MISTAKEN || kind >= PROBE_SITE_KINDS ||
		    skipped > UINT8_MAX)
			err = -EPROTO;
		else
			entries[i] = (struct probe_entry){ (enum probe_site_fault)fault,
							   (enum probe_site_kind)kind, (uint8_t)skipped };
	}
	message_clear(&question);
	message_clear(&answer);
	return err;
}

static int put_exits(struct code_flow *flow, const uint64_t *addresses, size_t count, uint64_t end_ns,
		     struct message *answer)
{
	int err = 0;

	for (size_t i = 0; !err && i < count && (i == 0 || clock_now_ns() < end_ns); i++) {
		struct code_exits exits;

		err = code_exits_find(flow, addresses[i], &exits);
		message_put_number(answer, exits.jumps_on);
		message_put_numbers(answer, exits.items, exits.count);
	}
	return err;
}

/* The linkage is read anew, as none of what the tracer was told is kept. */
int answer_exits(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		 struct message *answer)
{
	uint64_t limit_ns = message_get_number(question), *addresses;
	struct code_flow *flow = NULL;
	struct linkage linkage;
	size_t count;
	int err = linkage_read(&linkage, files[0]);

	(void)answers;
	addresses = message_get_numbers(question, &count);
	if (!err && !addresses)
		err = -ENOMEM;
	if (!err)
		err = code_flow_open(&flow, &linkage, files[0]);
	if (!err)
		err = put_exits(flow, addresses, count, clock_now_ns() + limit_ns, answer);
	code_flow_close(flow);
	linkage_clear(&linkage);
	free(addresses);
	return err;
}

static int get_exits(struct message *answer, struct code_exits *exits)
{
	*exits = (struct code_exits){ .jumps_on = message_get_number(answer) };
	exits->count = message_get_count(answer, sizeof(uint64_t));
	if (exits->count > CODE_EXITS_MAX)
		return -EPROTO;
	message_get(answer, exits->items, exits->count * sizeof(exits->items[0]));
	return answer->failed ? -EPROTO : 0;
}

int parser_find_exits(struct parser *parser, int fd, const uint64_t *addresses, size_t count,
		      uint64_t limit_ns, struct code_exits *exits, size_t *found)
{
	const int files[CHANNEL_FILES] = { fd, -1 };
	struct message question = { 0 }, answer;
	int err;

	message_put_number(&question, QUESTION_EXITS);
	message_put_number(&question, limit_ns);
	message_put_numbers(&question, addresses, count);
	err = parser_ask(parser, &question, files, &answer);
	for (*found = 0; !err && *found < count && answer.at < answer.size; ++*found)
		err = get_exits(&answer, &exits[*found]);
	message_clear(&question);
	message_clear(&answer);
	return err;
}

int answer_targets(struct answers *answers, struct message *question, const int files[CHANNEL_FILES],
		   struct message *answer)
{
	struct call_targets *targets = NULL;
	struct linkage linkage;
	size_t count = message_get_count(question, sizeof(uint64_t));
	int err = linkage_read(&linkage, files[0]);

	(void)answers;
	if (!err)
		err = call_targets_open(&targets, &linkage, files[0]);
	for (size_t i = 0; !err && i < count; i++) {
		const struct linkage_slot *slot = call_targets_find(targets, message_get_number(question));

		message_put_text(answer, slot ? slot->name : NULL);
	}
	call_targets_close(targets);
	linkage_clear(&linkage);
	return err;
}

int parser_find_targets(struct parser *parser, int fd, const uint64_t *offsets, size_t count, char **names)
{
	struct message question = { 0 };

	message_put_number(&question, QUESTION_TARGETS);
	message_put_numbers(&question, offsets, count);
	return parser_ask_names(parser, &question, fd, names, count);
}
