/* SPDX-License-Identifier: GPL-2.0-only */
/* Which way a branch goes nearly always: the compiler lays that one out as the straight line. */
#ifndef SCALER_LIKELY_BPF_H
#define SCALER_LIKELY_BPF_H

#ifndef likely
#define likely(condition)   __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
#endif

#endif
