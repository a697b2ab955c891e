/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of a profile's rows, in which those of one thread stand side by side, and so do its rows of one call. */
#ifndef SCALER_MODEL_ROW_ORDER_H
#define SCALER_MODEL_ROW_ORDER_H

#include "model/profile.h"

/* As functions for qsort() return it. */
int row_order_calls(const struct profile_call *a, const struct profile_call *b);
int row_order_errors(const struct profile_error *a, const struct profile_error *b);
/* Below 0: the error is of a row before that of the call; 0: of this one. */
int row_order_error_to_call(const struct profile_error *error, const struct profile_call *call);

/* Puts the profile's system calls, library calls and errors in order. */
void row_order_sort(struct profile *profile);

/* By serial; the calls that they are in, too. */
void row_order_sort_threads(struct profile *profile);

/* The first of the calls, which are in order, that is not of a thread before this one. */
size_t row_order_first_of_thread(const struct profile_call *calls, size_t count, uint32_t task);

#endif
