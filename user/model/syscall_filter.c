// SPDX-License-Identifier: GPL-2.0-only
/* Which system calls are recorded. */
#include "model/syscall_filter.h"

#include <errno.h>
#include <string.h>

#include "base/array.h"

static const struct {
	const char *name;
	const char *members; /* separated by blanks */
} classes[] = {
#define CLASS(name, members) { name, members },
#include "model/syscall_classes.inc"
#undef CLASS
};

const char *syscall_class_name(size_t index)
{
	return index < ARRAY_SIZE(classes) ? classes[index].name : NULL;
}

bool syscall_class_includes(size_t index, const char *call)
{
	size_t length = strlen(call);

	for (const char *at = classes[index].members; *at; at += strspn(at, " ")) {
		size_t word = strcspn(at, " ");

		if (word == length && !memcmp(at, call, length))
			return true;
		at += word;
	}
	return false;
}

static bool is_word(const char *text, const char *word, size_t length)
{
	return strlen(text) == length && !memcmp(text, word, length);
}

/* The class's index, or -1. */
static int find_class(const char *word, size_t length)
{
	if (is_word("net", word, length))
		return find_class("network", strlen("network"));
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (is_word(classes[i].name, word, length))
			return (int)i;
	}
	return -1;
}

/* Sets what the word stands for, and returns how many calls that is. */
static size_t select_calls(struct syscall_filter *filter, const char *word, size_t length, bool value)
{
	int class = *word == '%' ? find_class(word + 1, length - 1) : -1;
	size_t found = 0;

	for (int abi = 0; abi < SCALER_ABI_COUNT; abi++) {
		for (unsigned int number = 0; number < SCALER_CALL_NUMBERS; number++) {
			const struct syscall_info *info = syscall_find_abi(abi, number);

			if (!info)
				continue;
			if (class >= 0 ? !syscall_class_includes((size_t) class, info->name) :
					 !is_word(info->name, word, length))
				continue;
			filter->records[abi][number] = value;
			found++;
		}
	}
	return found;
}

int syscall_filter_parse(struct syscall_filter *filter, const char *list, const char **culprit,
			 size_t *length)
{
	bool inverted = *list == '!';

	memset(filter->records, inverted, sizeof(filter->records));
	for (const char *at = list + inverted;; at++) {
		size_t word = strcspn(at, ",");

		if (!select_calls(filter, at, word, !inverted)) {
			*culprit = at;
			*length = word;
			return -EINVAL;
		}
		at += word;
		if (!*at)
			return 0;
	}
}

bool syscall_filter_records(const struct syscall_filter *filter, enum scaler_abi abi, unsigned int number)
{
	return number < SCALER_CALL_NUMBERS && filter->records[abi][number];
}
