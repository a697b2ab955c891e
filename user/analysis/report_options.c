// SPDX-License-Identifier: GPL-2.0-only
/* Which parts of a report are made, in which order their rows stand. */
#include "analysis/report_options.h"

#include <string.h>

#include "base/words.h"

#define ROW(argument, ID, functions, name, help, needs, keys) [PART_##ID] = { name, help, needs, keys },

const struct report_part_row report_parts[REPORT_PART_COUNT] = { REPORT_PARTS(ROW, ) };

unsigned int report_part_find(const char *name, size_t length)
{
	int index = words_find(REPORT_PART_NAMES, name, length);

	if (index <= 0)
		return index ? 0 : REPORT_NAMED_ALL;
	/* "all" comes first. */
	return index - 1 == PART_SUMMARY ? REPORT_SCREEN : 1U << (index - 1);
}

enum sort_key sort_key_find(const char *name)
{
	return (enum sort_key)(words_find(SORT_KEY_NAMES, name, strlen(name)) + 1);
}

const char *component_of_name(enum component_of component_of)
{
	return component_of == COMPONENT_OF_CALLING ? "calling" : "issuing";
}

enum sort_key sort_key_for(const struct report_options *options, enum report_part_id part)
{
	return report_parts[part].sort_keys >> options->sort & 1 ? options->sort : SORT_DEFAULT;
}
