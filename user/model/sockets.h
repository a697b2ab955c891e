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

/* Which end of a connection a socket is. */
enum socket_side {
	SOCKET_SIDE_UNKNOWN,
	SOCKET_SIDE_SERVER, /* waits there for requests */
	SOCKET_SIDE_CLIENT, /* and there for answers */
};

/* As names of AF_UNIX and ports tell: a server's is mostly the lower one. NULL is of no side that is known. */
enum socket_side socket_side(const struct scaler_socket *socket);

void sockets_clear(struct sockets *sockets);

#endif
