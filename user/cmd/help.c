// SPDX-License-Identifier: GPL-2.0-only
/* --help, and what completes a command line, from the tables of options and subcommands. */
#include "cmd/cmd.h"

#include <stdio.h>
#include <string.h>

#include "options/option_table.h"
#include "render/text_wrap.h"

/* Of a line, and of what is left of an option's description: longer ones have it on a line of their own. */
#define LINE_SIZE 100
#define LEFT_SIZE 30

/* "  -p, --pid PID[,PID...]". */
static int print_left(const struct option_row *row)
{
	return printf("  %c%c%s --%s%s%s", row->letter ? '-' : ' ', row->letter ?: ' ',
		      row->letter ? "," : " ", row->name,
		      row->argument && strncmp(row->argument, "[=", 2) ? " " : "", row->argument ?: "");
}

/* What --report takes, each with what it is. */
static void print_parts(void)
{
	for (enum report_part_id part = 0; part < REPORT_PART_COUNT; part++)
		printf("%*s%-12s %s\n", LEFT_SIZE + 2, "", report_parts[part].name, report_parts[part].help);
}

static void print_option(const struct option_row *row, bool lists_parts)
{
	int length = print_left(row);

	if (length > LEFT_SIZE - 1)
		printf("\n%*s", LEFT_SIZE, "");
	else
		printf("%*s", LEFT_SIZE - length, "");
	text_print_wrapped(stdout, lists_parts ? "all, or any of these, separated by commas:" : row->help,
			   LEFT_SIZE, LINE_SIZE);
	if (lists_parts)
		print_parts();
}

/* The options of a subcommand, by groups; or of all those that are common. */
static bool is_shown(const struct option_row *row, const struct options *options)
{
	if (row->group == OPTIONS_KNOBS)
		return false;
	return options->names_subcommand ? row->subcommands >> options->subcommand & 1 : row->is_common;
}

static void print_group(enum option_group group, const struct options *options)
{
	bool has_title = false;

	for (size_t i = 0; i < option_row_count; i++) {
		if (option_rows[i].group != group || !is_shown(&option_rows[i], options))
			continue;
		if (!has_title)
			printf("\n%s:\n", option_group_title(group));
		has_title = true;
		print_option(&option_rows[i],
			     options->names_subcommand && option_rows[i].apply == option_apply_report);
	}
}

static void print_subcommand_head(const struct subcommand_row *row)
{
	printf("Usage: scaler-bpf %s [OPTION...]%s%s\n\n%s", row->name, *row->arguments ? " " : "",
	       row->arguments, row->text);
}

static void print_head(void)
{
	printf("Usage: scaler-bpf [OPTION...] %s\n"
	       "       scaler-bpf SUBCOMMAND [OPTION...]\n\n"
	       "Says where the time of threads goes: running, waiting for a CPU, or blocked; in which call "
	       "of\n"
	       "which function, on what, and who ended the wait. New threads and children of what is traced "
	       "are\n"
	       "traced too.\n\nSubcommands:\n",
	       subcommand_rows[SUBCOMMAND_TRACE].arguments);
	for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
		if (subcommand_rows[i].summary)
			printf("  %-10s %s\n", subcommand_rows[i].name, subcommand_rows[i].summary);
	}
}

int cmd_help(const struct options *options)
{
	const struct subcommand_row *row = &subcommand_rows[options->subcommand];

	if (options->names_subcommand)
		print_subcommand_head(row);
	else
		print_head();
	for (enum option_group group = 0; group < OPTION_GROUP_COUNT; group++)
		print_group(group, options);
	if (!options->names_subcommand)
		puts("\nThese are the most common options. scaler-bpf trace --help has all of them, "
		     "scaler-bpf\n"
		     "SUBCOMMAND --help those of a subcommand, and man scaler-bpf explains them.");
	return 0;
}

/* The option of that name, as it is typed; NULL: there is none. */
static const struct option_row *find_option(const char *word)
{
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if ((!strncmp(word, "--", 2) && !strcmp(word + 2, row->name)) ||
		    (row->letter && word[0] == '-' && word[1] == row->letter && !word[2]))
			return row;
	}
	return NULL;
}

/* The words of the list, each on a line. */
static void print_values(const char *values)
{
	for (const char *at = values; *at; at += strspn(at, ", ")) {
		int length = (int)strcspn(at, ",");

		printf("%.*s\n", length, at);
		at += length;
	}
}

static void print_names(enum subcommand subcommand, bool is_named)
{
	for (size_t i = 0; i < SUBCOMMAND_COUNT && !is_named; i++) {
		if (subcommand_rows[i].summary)
			puts(subcommand_rows[i].name);
	}
	for (size_t i = 0; i < option_row_count; i++) {
		const struct option_row *row = &option_rows[i];

		if (row->group == OPTIONS_KNOBS || !(row->subcommands >> subcommand & 1))
			continue;
		printf("--%s\n", row->name);
		if (row->letter)
			printf("-%c\n", row->letter);
	}
	if (subcommand_rows[subcommand].takes_command)
		puts("--");
	if (is_named && subcommand_rows[subcommand].values)
		print_values(subcommand_rows[subcommand].values);
}

/*
 * "complete [SUBCOMMAND] [OPTION]": what may follow, a word a line. Of an option that takes an argument "list" or "word" comes
 * first; "@pids" and the like stand for what the shell knows.
 */
int cmd_complete(const struct options *options)
{
	enum subcommand subcommand = SUBCOMMAND_TRACE;
	char *const *words = options->words;
	const struct option_row *row = NULL;
	bool is_named = false;

	for (; *words && !row; words++) {
		row = find_option(*words);
		for (enum subcommand i = 0; i < SUBCOMMAND_COUNT && !row; i++) {
			if (strcmp(*words, subcommand_rows[i].name))
				continue;
			subcommand = i;
			is_named = true;
		}
	}
	if (!row || !row->argument) {
		puts("word");
		print_names(subcommand, is_named);
		return 0;
	}
	puts(strpbrk(row->argument, ",") || strstr(row->argument, "LIST") ? "list" : "word");
	print_values(row->values ?: "");
	if (option_may_omit(row))
		print_names(subcommand, is_named);
	return 0;
}
