// SPDX-License-Identifier: GPL-2.0-only
/* The options that say whom to trace. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/words.h"
#include "options/option_table.h"

static int add_id(struct target_options *target, pid_t id)
{
	for (size_t i = 0; i < target->id_count; i++) {
		if (target->ids[i] == id)
			return 0;
	}
	if (target->id_count == OPTIONS_ID_LIMIT)
		return -E2BIG;
	target->ids = target->ids ?: calloc(OPTIONS_ID_LIMIT, sizeof(*target->ids));
	if (!target->ids)
		return -ENOMEM;
	target->ids[target->id_count++] = id;
	return 0;
}

static int add_ids(struct options *options, enum scaler_target_kind kind, char letter, const char *value,
		   char *error)
{
	struct target_options *target = &options->target;
	char word[16];

	if (target->id_count && target->kind != kind)
		return options_refuse(error, "-p and -t exclude each other");
	target->kind = kind;
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		int64_t id;

		snprintf(word, sizeof(word), "%.*s", (int)length, at);
		if (length >= sizeof(word) || parse_integer(word, 1, INT_MAX, &id))
			return options_refuse(error, "-%c takes %s IDs separated by commas, not '%s'", letter,
					      letter == 'p' ? "process" : "thread", value);
		if (add_id(target, (pid_t)id))
			return options_refuse(error, "-%c takes at most %d IDs", letter, OPTIONS_ID_LIMIT);
		at += length;
		if (!*at)
			return 0;
	}
}

int option_apply_pid(struct options *options, const char *value, char *error)
{
	return add_ids(options, SCALER_TARGET_PROCESSES, 'p', value, error);
}

int option_apply_tid(struct options *options, const char *value, char *error)
{
	return add_ids(options, SCALER_TARGET_THREADS, 't', value, error);
}

int option_apply_comm(struct options *options, const char *value, char *error)
{
	if (!*value)
		return options_refuse(error, "--comm takes the name of a process, not an empty word");
	if (strlen(value) >= SCALER_TARGET_COMM_SIZE)
		return options_refuse(error,
				      "--comm takes at most %d bytes, as the kernel keeps names; try '%.*s'",
				      SCALER_TARGET_COMM_SIZE - 1, SCALER_TARGET_COMM_SIZE - 1, value);
	options->target.comm = value;
	return 0;
}

int option_apply_cgroup(struct options *options, const char *value, char *error)
{
	if (!*value)
		return options_refuse(error, "--cgroup takes the path of a cgroup, not an empty word");
	options->target.cgroup = value;
	return 0;
}

int option_apply_follow(struct options *options, const char *value, char *error)
{
	/* In the order of enum scaler_follow. */
	int follow = words_find("none, threads, children", value, strlen(value));

	if (follow < 0)
		return options_refuse(error, "--follow takes none, threads or children, not '%s'", value);
	options->target.follow = (enum scaler_follow)follow;
	return 0;
}
