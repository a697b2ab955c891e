/* SPDX-License-Identifier: GPL-2.0-only */
/* Address spaces by number: where their code was mapped. */
#ifndef SCALER_MODEL_ADDRESS_SPACES_H
#define SCALER_MODEL_ADDRESS_SPACES_H

#include <stddef.h>
#include <stdint.h>

#include <scaler/event.h>

/* So many are kept: the latest. What is learned of one is learned soon after it was described. */
#define ADDRESS_SPACES_KEPT 1024

struct address_space {
	uint64_t number;
	struct scaler_mapping *mappings; /* owned; by address */
	size_t count;
};

struct address_spaces {
	struct address_space items[ADDRESS_SPACES_KEPT]; /* a ring */
	size_t next;
};

/* Takes a copy of its mappings, which are in the order of their addresses. Returns 0 or -ENOMEM. */
int address_spaces_add(struct address_spaces *spaces, uint64_t number, const struct scaler_mapping *mappings,
		       size_t count);

/* The latest of that number, or NULL; valid until the next is added. */
const struct address_space *address_spaces_find(const struct address_spaces *spaces, uint64_t number);

/* The mapping around an address, or NULL; valid as long as the address space. */
const struct scaler_mapping *address_space_mapping(const struct address_space *space, uint64_t address);

/* The site of an address; 0: no code is mapped there. */
uint64_t address_space_site(const struct address_space *space, uint64_t address);

void address_spaces_clear(struct address_spaces *spaces);

#endif
