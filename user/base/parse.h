/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers from the command line: the whole string must be one, or nothing is accepted. */
#ifndef SCALER_BASE_PARSE_H
#define SCALER_BASE_PARSE_H

#include <stdint.h>

/* A whole decimal number in [minimum, maximum]. Returns 0, -EINVAL (no number) or -ERANGE. */
int parse_integer(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/* Seconds with an optional fraction, more than 0 and at most 1e9, to nanoseconds. Errors as above. */
int parse_seconds(const char *text, uint64_t *value_ns);

#endif
