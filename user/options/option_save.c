// SPDX-License-Identifier: GPL-2.0-only
/* The options about recording files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "options/option_table.h"

#define WORD_SIZE 64

int option_apply_save(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	if (!*value)
		return options_refuse(error, "--save takes the name of a file, not an empty word");
	options->save = value;
	return 0;
}

int option_apply_recording(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	if (!*value)
		return options_refuse(error, "report takes the name of a file, not an empty word");
	options->recording = value;
	return 0;
}

/* "64K", "512M", "2G". Returns 0 or -1. */
static int parse_size(const char *text, uint64_t *bytes)
{
	static const char units[] = "KMG";
	size_t length = strlen(text);
	const char *unit = length ? strchr(units, text[length - 1]) : NULL;
	char number[WORD_SIZE];
	int64_t value;

	if (!unit || !*unit || length >= sizeof(number))
		return -1;
	memcpy(number, text, length - 1);
	number[length - 1] = '\0';
	if (parse_integer(number, 1, 1 << 20, &value))
		return -1;
	*bytes = (uint64_t)value << (10 * (unit - units + 1));
	return 0;
}

/* "60s,512M", or one of them. */
int option_apply_keep(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	struct keep_options *keep = &options->keep;
	char words[WORD_SIZE], *rest = NULL;
	bool is_right = snprintf(words, sizeof(words), "%s", value) < (int)sizeof(words);

	keep->ns = keep->bytes = 0;
	for (char *word = strtok_r(words, ",", &rest); word && is_right; word = strtok_r(NULL, ",", &rest))
		is_right = keep->bytes                     ? false :
			   !parse_size(word, &keep->bytes) ? true :
							     !keep->ns && !parse_time(word, &keep->ns);
	if (is_right && (keep->ns || keep->bytes))
		return 0;
	return options_refuse(
		error, "--keep takes a time, a size or both, as 60s, 512M or 60s,512M, not '%s'", value);
}

static int add_condition(struct keep_options *keep, const char *word)
{
	const char *value = strpbrk(word, "=>");
	size_t length = value ? (size_t)(value - word) : 0;

	if (!value)
		return -1;
	if (!strncmp(word, "wait>", 5))
		return parse_time(value + 1, &keep->when.least_ns);
	if (*value == '=' && length == 4 && !strncmp(word, "func", length))
		return globs_add(&keep->when.functions, value + 1);
	if (*value == '=' && length == 4 && !strncmp(word, "task", length))
		return globs_add(&keep->when.tasks, value + 1);
	return -1;
}

/* "wait>50ms func=pthread_mutex_lock task=worker*" */
int option_apply_save_when(struct options *options, const char *value, char error[OPTIONS_ERROR_SIZE])
{
	char *words = strdup(value), *rest = NULL;
	bool is_right = words;

	for (char *word = words ? strtok_r(words, " ", &rest) : NULL; word && is_right;
	     word = strtok_r(NULL, " ", &rest))
		is_right = !add_condition(&options->keep, word);
	free(words);
	if (is_right && options->keep.when.least_ns)
		return 0;
	return options_refuse(error,
			      "--save-when takes 'wait>TIME [func=GLOB[,GLOB]] [task=GLOB[,GLOB]]', not '%s'",
			      value);
}
