/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of numbered things, each looked for once. */
#ifndef SCALER_BASE_NUMBER_NAMES_H
#define SCALER_BASE_NUMBER_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Begins as zeros. */
struct number_names {
	struct number_name {
		uint32_t number;
		char *name; /* owned; NULL: it has none */
	} * items;          /* owned */
	size_t count;
	size_t capacity;
};

/* Finds a name, which the caller gets; NULL: there is none. */
typedef char *number_names_read(uint32_t number);

/* NULL: it has none, or memory is short. Valid until the names are cleared. */
const char *number_names_find(struct number_names *names, uint32_t number, number_names_read *read);
/* Takes a copy of a name that was found elsewhere; an earlier one of that number stays. Returns 0 or -ENOMEM. */
int number_names_add(struct number_names *names, uint32_t number, const char *name);
/* Of those that were looked for, or added; NULL as above. */
const char *number_names_get(const struct number_names *names, uint32_t number);
void number_names_clear(struct number_names *names);

#endif
