/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets that threads waited on, by inode number. */
#ifndef SCALER_MODEL_SOCKETS_H
#define SCALER_MODEL_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <scaler/resource.h>

struct socket_ends {
	uint64_t inode;
	struct scaler_socket socket;
};

struct sockets {
	struct socket_ends *items; /* owned */
	size_t count;
	size_t capacity;
	bool is_sorted;
};

/* Takes a copy of one. Returns 0 or -ENOMEM. */
int sockets_add(struct sockets *sockets, const struct socket_ends *ends);

/* Adds those of from to to. Returns 0 or -ENOMEM. */
int sockets_copy(struct sockets *to, const struct sockets *from);

/* NULL: it is not known. Valid until the next is added. */
const struct scaler_socket *sockets_find(struct sockets *sockets, uint64_t inode);

void sockets_clear(struct sockets *sockets);

#endif
