// SPDX-License-Identifier: GPL-2.0-only
/* Figures for people. */
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"

/* A value of the first unit, in the one that suits it, with about four digits. */
static const char *format(double value, double step, const char *const *units, size_t count,
			  char buffer[UNITS_SIZE])
{
	size_t unit = 0;
	int decimals = 0;

	/* 999.95 would be printed as 1000.0. */
	for (; value >= 999.95 && unit + 1 < count; unit++)
		value /= step;
	decimals += value < 999.95;
	decimals += value < 99.995;
	decimals += value < 9.9995;
	snprintf(buffer, UNITS_SIZE, "%.*f %s", decimals, value, units[unit]);
	return buffer;
}

const char *units_format_time(uint64_t time_ns, char buffer[UNITS_SIZE])
{
	static const char *const units[] = { "us", "ms", "s" };

	if (time_ns >= 1000)
		return format((double)time_ns / 1000, 1000, units, ARRAY_SIZE(units), buffer);
	snprintf(buffer, UNITS_SIZE, "%" PRIu64 " ns", time_ns);
	return buffer;
}

const char *units_format_size(uint64_t bytes, char buffer[UNITS_SIZE])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };

	if (bytes >= 1024)
		return format((double)bytes / 1024, 1024, units, ARRAY_SIZE(units), buffer);
	snprintf(buffer, UNITS_SIZE, "%" PRIu64 " B", bytes);
	return buffer;
}

const char *units_format_share(uint64_t part, uint64_t whole, char buffer[UNITS_SIZE])
{
	if (whole)
		snprintf(buffer, UNITS_SIZE, "%.1f%%", 100.0 * (double)part / (double)whole);
	else
		snprintf(buffer, UNITS_SIZE, "-");
	return buffer;
}
