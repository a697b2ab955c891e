// SPDX-License-Identifier: GPL-2.0-only
/* Groups of threads by their names. */
#include "analysis/name_group.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

void name_group_merge(char name[SCALER_COMM_SIZE])
{
	size_t length = 0;

	for (size_t i = 0; i < SCALER_COMM_SIZE && name[i]; i++) {
		bool is_digit = isdigit((unsigned char)name[i]);

		if (is_digit && length && name[length - 1] == '#')
			continue;
		name[length++] = (char)(is_digit ? '#' : name[i]);
	}
	memset(name + length, 0, SCALER_COMM_SIZE - length);
}

static unsigned int count_numbers(const char *name)
{
	unsigned int count = 0;

	for (name += strcspn(name, DIGITS); *name; name += strcspn(name, DIGITS)) {
		name += strspn(name, DIGITS);
		count++;
	}
	return count;
}

void name_group_add(struct name_group *group, const char name[SCALER_COMM_SIZE])
{
	char copy[SCALER_COMM_SIZE + 1] = "";
	uint64_t number;

	memcpy(copy, name, strnlen(name, SCALER_COMM_SIZE));
	number = strtoull(copy + strcspn(copy, DIGITS), NULL, 10);
	if (!*group->merged) {
		memcpy(group->first, copy, sizeof(copy));
		memcpy(group->merged, copy, sizeof(copy));
		name_group_merge(group->merged);
		group->numbers = count_numbers(copy);
		group->least = group->most = number;
		return;
	}
	group->has_several |= strcmp(group->first, copy) != 0;
	group->least = number < group->least ? number : group->least;
	group->most = number > group->most ? number : group->most;
}

const char *name_group_format(const struct name_group *group, char text[NAME_GROUP_SIZE])
{
	size_t before = strcspn(group->first, DIGITS);

	if (!group->has_several)
		snprintf(text, NAME_GROUP_SIZE, "%s", group->first);
	else if (group->numbers != 1)
		snprintf(text, NAME_GROUP_SIZE, "%s", group->merged);
	else
		snprintf(text, NAME_GROUP_SIZE, "%.*s%" PRIu64 "..%" PRIu64 "%s", (int)before, group->first,
			 group->least, group->most,
			 group->first + before + strspn(group->first + before, DIGITS));
	return text;
}
