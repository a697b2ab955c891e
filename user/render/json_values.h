/* SPDX-License-Identifier: GPL-2.0-only */
/* The values that all JSON output is made of. */
#ifndef SCALER_RENDER_JSON_VALUES_H
#define SCALER_RENDER_JSON_VALUES_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

/* Counts and nanoseconds. NULL without memory, as are the next. */
json_t *json_number(uint64_t value);

/* A name as it is; if it is not UTF-8, escaped as in text. null if there is none. */
json_t *json_name(const char *name);

/* Takes the element over; one that could not be made fails the array. Returns 0 or -ENOMEM. */
int json_append(json_t *array, json_t *element);

/* The object with the members of the other one. Takes both over; NULL if there is no memory, or one could not be made. */
json_t *json_merge(json_t *object, json_t *more);

/*
 * Prints a document, which is taken over, and a newline, unless it is NULL or err says that a part of it could not be made.
 * Returns 0 or -ENOMEM; write errors stay in the stream, for the caller to check.
 */
int json_print_document(json_t *document, int err, FILE *out);

#endif
