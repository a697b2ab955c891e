/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers from the command line: the whole string must be one, or nothing is accepted. */
#ifndef SCALER_BASE_PARSE_H
#define SCALER_BASE_PARSE_H

#include <stdint.h>

/* A whole decimal number in [minimum, maximum]. Returns 0, -EINVAL (no number) or -ERANGE. */
int parse_integer(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/*
 * Seconds with an optional fraction, or so many s, ms, us or ns: "0.5", "500ms"; more than 0, at most 1e9 s. To
 * nanoseconds, rounded down. Errors as above.
 */
int parse_time(const char *text, uint64_t *value_ns);

#endif
