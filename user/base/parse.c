// SPDX-License-Identifier: GPL-2.0-only
/* Numbers from the command line. */
#include "base/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

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

int parse_seconds(const char *text, uint64_t *value_ns)
{
	const uint64_t limit_s = 1000000000;
	uint64_t whole = 0, fraction_ns = 0, unit_ns = 100000000;
	const char *at = text;

	for (; isdigit((unsigned char)*at); at++) {
		whole = whole * 10 + (uint64_t)(*at - '0');
		if (whole > limit_s)
			return -ERANGE;
	}
	if (*at == '.') {
		at++;
		if (!isdigit((unsigned char)*at))
			return -EINVAL;
		for (; isdigit((unsigned char)*at); at++, unit_ns /= 10)
			fraction_ns += (uint64_t)(*at - '0') * unit_ns;
	}
	if (at == text || *at)
		return -EINVAL;
	if (whole * 1000000000 + fraction_ns == 0 || (whole == limit_s && fraction_ns))
		return -ERANGE;
	*value_ns = whole * 1000000000 + fraction_ns;
	return 0;
}
