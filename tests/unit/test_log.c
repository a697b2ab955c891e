// SPDX-License-Identifier: GPL-2.0-only
/* Messages with what others have chosen in them, and as many as they have chosen. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"

static FILE *printed;

/* What is printed goes to a file. */
static void set_up(void)
{
	printed = tmpfile();
	cr_assert_not_null(printed);
	cr_assert_geq(dup2(fileno(printed), STDERR_FILENO), 0);
}

TestSuite(log, .init = set_up);

static char *next_line(char line[static 20000])
{
	return fgets(line, 20000, printed);
}

Test(log, names_are_escaped)
{
	char line[20000];

	log_error("no '%s' there", "a\033[2J\nscaler-bpf: \\ \xff");
	rewind(printed);
	cr_expect_str_eq(next_line(line), "scaler-bpf: no 'a\\x1b[2J\\x0ascaler-bpf: \\x5c \\xff' there\n");
}

Test(log, long_names_are_cut)
{
	char line[20000], name[3 * LOG_MESSAGE_MAX];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	log_note("%s", name);
	rewind(printed);
	cr_assert(next_line(line));
	cr_expect_eq(strlen(line), strlen("scaler-bpf: \n") + LOG_MESSAGE_MAX - 1);
	cr_expect_null(next_line(line));
}

/* Errors are not notes: all of them are printed. */
Test(log, floods)
{
	unsigned long dropped = 0, lines = 0;
	char line[20000];

	for (int i = 0; i < 100000; i++)
		log_note("note %d", i);
	log_error("error");
	log_finish();
	log_finish();
	rewind(printed);
	while (next_line(line)) {
		unsigned long more = 0;

		lines++;
		if (sscanf(line, "scaler-bpf: %lu more notes came too fast to be printed", &more) == 1) {
			dropped += more;
			lines--;
		}
	}
	cr_expect_geq(lines, LOG_NOTES_MAX + 1);
	cr_expect_leq(lines, 2 * LOG_NOTES_MAX);
	cr_expect_eq(dropped + lines, 100001);
}
