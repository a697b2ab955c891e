// SPDX-License-Identifier: GPL-2.0-only
/* Commands out of the bytes that arrive, in whatever pieces; places for them; regions by name. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "control/control_channel.h"
#include "control/control_text.h"
#include "model/regions.h"

static void arrive(struct control_text *text, const char *bytes, size_t count)
{
	while (count) {
		size_t room;
		char *to = control_text_room(text, &room);
		size_t piece = count < room ? count : room;

		cr_assert(room > 0);
		memcpy(to, bytes, piece);
		control_text_add(text, piece);
		bytes += piece;
		count -= piece;
	}
}

static const struct {
	const char *line;
	enum control_verb verb;
	const char *name;
} lines[] = {
	{ "enable", CONTROL_ENABLE, "enable" },
	{ "disable", CONTROL_DISABLE, "disable" },
	{ "ping", CONTROL_PING, "ping" },
	{ "stop", CONTROL_STOP, "stop" },
	{ "snapshot", CONTROL_SNAPSHOT, "snapshot" },
	{ "mark here and now", CONTROL_MARK, "here and now" },
	{ "mark BEGIN warm up", CONTROL_MARK_BEGIN, "warm up" },
	{ "mark END warm up", CONTROL_MARK_END, "warm up" },
	{ "mark BEGINNING", CONTROL_MARK, "BEGINNING" },
	{ "mark BEGIN", CONTROL_UNKNOWN, "mark BEGIN" },
	{ "mark END", CONTROL_UNKNOWN, "mark END" },
	{ "mark BEGIN ", CONTROL_UNKNOWN, "mark BEGIN " },
	{ "mark ", CONTROL_UNKNOWN, "mark " },
	{ "mark", CONTROL_UNKNOWN, "mark" },
	{ "enable ", CONTROL_UNKNOWN, "enable " },
	{ "Enable", CONTROL_UNKNOWN, "Enable" },
	{ "evlist", CONTROL_UNKNOWN, "evlist" },
};

#define LINES (sizeof(lines) / sizeof(*lines))

static void expect_command(struct control_text *text, size_t i)
{
	struct control_command command;

	cr_assert(control_text_take(text, &command), "%s", lines[i].line);
	cr_expect_eq(command.verb, lines[i].verb, "%s", lines[i].line);
	cr_expect_str_eq(command.text, lines[i].name);
}

Test(control, commands)
{
	struct control_text text = { 0 };
	struct control_command command;

	for (size_t i = 0; i < LINES; i++) {
		arrive(&text, lines[i].line, strlen(lines[i].line));
		cr_expect(!control_text_take(&text, &command));
		arrive(&text, i % 2 ? "\n" : "", 1);
		expect_command(&text, i);
		cr_expect(!control_text_take(&text, &command));
	}
}

/* Byte by byte, and all at once. */
Test(control, pieces)
{
	for (int at_once = 0; at_once < 2; at_once++) {
		struct control_text text = { 0 };
		struct control_command command;

		for (size_t i = 0; i < LINES; i++) {
			size_t length = strlen(lines[i].line) + 1;

			for (size_t at = 0; at < length; at += at_once ? length : 1)
				arrive(&text, lines[i].line + at, at_once ? length : 1);
			/* A newline and a NUL end one command, not two. */
			arrive(&text, "\n", 1);
			if (!at_once)
				expect_command(&text, i);
		}
		for (size_t i = 0; i < LINES && at_once; i++)
			expect_command(&text, i);
		cr_expect(!control_text_take(&text, &command));
	}
}

Test(control, too_long)
{
	static char endless[3 * CONTROL_BYTES];
	struct control_text text = { 0 };
	struct control_command command;

	memset(endless, 'x', sizeof(endless));
	for (size_t length = CONTROL_BYTES - 1; length < sizeof(endless); length++) {
		arrive(&text, endless, length);
		cr_assert(!control_text_take(&text, &command));
		arrive(&text, "\n", 1);
		cr_assert(control_text_take(&text, &command));
		cr_assert_eq(command.verb, length < CONTROL_BYTES ? CONTROL_UNKNOWN : CONTROL_TOO_LONG, "%zu",
			     length);
		arrive(&text, "ping\n", 5);
		cr_assert(control_text_take(&text, &command));
		cr_assert_eq(command.verb, CONTROL_PING, "%zu", length);
	}
}

Test(control, places)
{
	static const char *const valid[] = { "fifo:ctl", "fifo:/a/b,c", "fd:3", "fd:10,11" };
	static const char *const invalid[] = { "",           "ctl",    "fifo:",  "fifo:a,",  "fifo:,b",
					       "fifo:a,b,c", "fd:",    "fd:x",   "fd:3,x",   "fd:-1",
					       "fd:3,",      "FIFO:a", "file:a", "fd:3,4,5", "fd:3 ,4" };

	for (size_t i = 0; i < sizeof(valid) / sizeof(*valid); i++)
		cr_expect(control_channel_is_valid(valid[i]), "%s", valid[i]);
	for (size_t i = 0; i < sizeof(invalid) / sizeof(*invalid); i++)
		cr_expect(!control_channel_is_valid(invalid[i]), "%s", invalid[i]);
}

static struct profile interval(uint64_t start_ns, uint64_t end_ns)
{
	return (struct profile){ .window = { .start_ns = start_ns, .end_ns = end_ns } };
}

static uint64_t recorded_ns(const struct region *region)
{
	const struct profile *sum = &region->sum.profile;

	return sum->window.end_ns - sum->window.start_ns - sum->paused_ns;
}

static int change(struct regions *regions, enum mark_kind kind, const char *name)
{
	char copy[CONTROL_BYTES];
	const struct mark mark = { kind, 1, strcpy(copy, name) };

	return regions_mark(regions, &mark);
}

Test(control, regions)
{
	struct regions regions = { 0 };
	const struct profile parts[] = { interval(10, 20), interval(20, 40), interval(40, 80),
					 interval(100, 200) };

	cr_expect_eq(change(&regions, MARK_END, "a"), -ENOENT);
	cr_expect_eq(change(&regions, MARK_BEGIN, "a"), 0);
	cr_expect_eq(change(&regions, MARK_BEGIN, "a"), -EEXIST);
	cr_assert_eq(regions_add(&regions, &parts[0]), 0);
	cr_expect_eq(change(&regions, MARK_BEGIN, "b"), 0);
	cr_assert_eq(regions_add(&regions, &parts[1]), 0);
	cr_expect_eq(change(&regions, MARK_END, "a"), 0);
	cr_expect_eq(change(&regions, MARK_END, "a"), -ENOENT);
	cr_assert_eq(regions_add(&regions, &parts[2]), 0);
	/* The recording pauses, and the region goes on. */
	regions_pause(&regions);
	cr_expect_eq(change(&regions, MARK_BEGIN, "a"), 0);
	cr_assert_eq(regions_add(&regions, &parts[3]), 0);
	cr_assert_eq(regions.count, 2);
	cr_expect_str_eq(regions.items[0].name, "a");
	cr_expect_eq(regions.items[0].times, 2);
	cr_expect_eq(recorded_ns(&regions.items[0]), 30 + 100);
	cr_expect_eq(regions.items[1].times, 1);
	cr_expect_eq(recorded_ns(&regions.items[1]), 60 + 100);
	regions_clear(&regions);
}

Test(control, no_end_of_names)
{
	struct regions regions = { 0 };
	char name[16];

	for (int i = 0; i <= REGIONS_MAX; i++) {
		snprintf(name, sizeof(name), "%d", i);
		cr_assert_eq(change(&regions, MARK_BEGIN, name), i < REGIONS_MAX ? 0 : -ENOSPC);
		cr_assert_eq(change(&regions, MARK_MOMENT, name), i < REGIONS_MAX ? 0 : -ENOSPC);
	}
	regions_clear(&regions);
}
