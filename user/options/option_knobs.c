// SPDX-License-Identifier: GPL-2.0-only
/* The options by which tests try what is done with small maps and on other kernels. */
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/words.h"
#include "options/option_table.h"
#include "plan/feature_names.h"

int option_apply_map_size(struct options *options, const char *value, char *error)
{
	size_t length = strcspn(value, "=");
	int map = words_find(MAP_SIZE_NAMES, value, length + (value[length] == '='));
	int64_t limit = map == RECORDER_MAP_COMPONENTS ? SCALER_COMPONENT_LIMIT - 1 : 1 << 26;
	int64_t rows;

	if (map < 0)
		return options_refuse(
			error, "--map-size takes one of: %s with a number of rows (events: bytes), not '%s'",
			MAP_SIZE_NAMES, value);
	if (parse_integer(value + length + 1, 1, limit, &rows))
		return options_refuse(error, "--map-size %.*s takes 1 to %" PRId64 " rows, not '%s'",
				      (int)length + 1, value, limit, value + length + 1);
	options->map_rows[map] = (uint32_t)rows;
	return 0;
}

int option_apply_without(struct options *options, const char *value, char *error)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");
		enum feature feature = feature_find(at, length);

		if (feature == FEATURE_COUNT)
			return options_refuse(error, "--without takes a list of: %s; not '%s'", FEATURE_NAMES,
					      value);
		options->without |= 1U << feature;
		at += length;
		if (!*at)
			return 0;
	}
}
