/* SPDX-License-Identifier: GPL-2.0-only */
/* Figures for people. */
#ifndef SCALER_BASE_UNITS_H
#define SCALER_BASE_UNITS_H

#include <stdint.h>

#define UNITS_SIZE 32

/* Four significant digits: "0 ns", "512 ns", "1.234 us", "56.78 ms", "910.1 s". Returns buffer. */
const char *units_format_time(uint64_t time_ns, char buffer[UNITS_SIZE]);

/* Four significant digits: "0 B", "640 B", "38.12 MiB". Returns buffer. */
const char *units_format_size(uint64_t bytes, char buffer[UNITS_SIZE]);

/* part/whole as "12.3%", or "-" of nothing. Returns buffer. */
const char *units_format_share(uint64_t part, uint64_t whole, char buffer[UNITS_SIZE]);

#endif
