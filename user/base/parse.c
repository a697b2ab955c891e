// SPDX-License-Identifier: GPL-2.0-only
/* Numbers from the command line. */
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int parse_integer(const char *text, int64_t minimum, int64_t maximum, int64_t *value)
{
	char *end;
	long long number;

	/* strtoll() would skip leading space, which no user means. */
	if (!isdigit((unsigned char)text[0]) && text[0] != '-')
		return -EINVAL;
	errno = 0;
	number = strtoll(text, &end, 10);
	if (end == text || *end)
		return -EINVAL;
	if (errno == ERANGE || number < minimum || number > maximum)
		return -ERANGE;
	*value = number;
	return 0;
}

/* Its length in nanoseconds; 0: there is no such unit. */
static uint64_t unit_ns(const char *text)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(units[i].name, text))
			return units[i].ns;
	}
	return 0;
}

int parse_time(const char *text, uint64_t *value_ns)
{
	const uint64_t limit_ns = 1000000000000000000;
	uint64_t whole = 0, billionths = 0, place = 100000000, unit;
	const char *at = text;

	for (; isdigit((unsigned char)*at); at++) {
		whole = whole * 10 + (uint64_t)(*at - '0');
		if (whole > limit_ns)
			return -ERANGE;
	}
	if (at == text)
		return -EINVAL;
	if (*at == '.') {
		at++;
		if (!isdigit((unsigned char)*at))
			return -EINVAL;
		for (; isdigit((unsigned char)*at); at++, place /= 10)
			billionths += (uint64_t)(*at - '0') * place;
	}
	unit = unit_ns(at);
	if (!unit)
		return -EINVAL;
	if (whole > limit_ns / unit || (whole == limit_ns / unit && billionths))
		return -ERANGE;
	*value_ns = whole * unit + billionths * unit / 1000000000;
	return *value_ns ? 0 : -ERANGE;
}
