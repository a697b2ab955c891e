/* SPDX-License-Identifier: GPL-2.0-only */
/* What waits have in common as JSON, whether they are told one by one or put together. */
#ifndef SCALER_RENDER_JSON_WAIT_H
#define SCALER_RENDER_JSON_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include <scaler/call.h>
#include <scaler/thread.h>

#include "analysis/wait_place.h"

/* Each returns a new reference, or NULL without memory. */

/* A thread's name, perhaps without a final NUL. */
json_t *json_comm(const char comm[SCALER_COMM_SIZE]);

/* null: it is in none. */
json_t *json_call(const struct scaler_call_id *call, bool is_in_call);

/* Why it is not known who called; null: it is, or nothing is. */
json_t *json_cut(const struct wait_place *place);

/* "SIGALRM"; null of 0. */
json_t *json_signal(unsigned int number);

/* null of 0: it has not come, or is not known. */
json_t *json_time(uint64_t time_ns);

#endif
