// SPDX-License-Identifier: GPL-2.0-only
/* Figures for people. */
#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"

const char *units_format_time(uint64_t time_ns, char buffer[UNITS_SIZE])
{
	static const char *const units[] = { "us", "ms", "s" };
	double value = (double)time_ns / 1000;
	size_t unit = 0;

	if (time_ns < 1000) {
		snprintf(buffer, UNITS_SIZE, "%" PRIu64 " ns", time_ns);
		return buffer;
	}
	/* 999.95 would be printed as 1000.0. */
	for (; value >= 999.95 && unit + 1 < ARRAY_SIZE(units); unit++)
		value /= 1000;
	snprintf(buffer, UNITS_SIZE, "%.*f %s",
		 value < 9.9995 ? 3 : value < 99.995 ? 2 : value < 999.95 ? 1 : 0, value,
		 units[unit]);
	return buffer;
}

const char *units_format_size(uint64_t bytes, char buffer[UNITS_SIZE])
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		snprintf(buffer, UNITS_SIZE, "%" PRIu64 " B", bytes);
		return buffer;
	}
	for (; value >= 999.95 && unit + 1 < ARRAY_SIZE(units); unit++)
		value /= 1024;
	snprintf(buffer, UNITS_SIZE, "%.*f %s", value < 9.9995 ? 3 : value < 99.995 ? 2 : 1, value,
		 units[unit]);
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
