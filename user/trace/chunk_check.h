/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes what a chunk tells as what was recorded is: what others use as an index lies within its array, times follow one
 * another, and each site has a place. What does not is nothing, or not known. All functions change it in place.
 */
#ifndef SCALER_TRACE_CHUNK_CHECK_H
#define SCALER_TRACE_CHUNK_CHECK_H

#include "trace/chunk_reader.h"

void chunk_check_sample(const struct chunk_reader *reader, struct scaler_sample *sample);
/* Of the sites of stacks those from that index on. */
void chunk_check_stacks(const struct chunk_reader *reader, struct stacks *stacks, size_t known);

/* All else that has figures. */
void chunk_check_figures(const struct chunk_reader *reader, struct profile *difference);

#endif
