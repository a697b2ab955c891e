// SPDX-License-Identifier: GPL-2.0-only
/* The sockets that threads waited on, by inode number. */
#include "model/sockets.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/array.h"

/* Documentation/networking/ip-sysctl.rst, ip_local_port_range: ports from here on are given to those who ask for none. */
#define FIRST_EPHEMERAL_PORT 32768

int sockets_add(struct sockets *sockets, const struct socket_ends *ends)
{
	struct socket_ends *items =
		array_reserve(sockets->items, sockets->count, &sockets->capacity, sizeof(*items));

	if (!items)
		return -ENOMEM;
	sockets->items = items;
	items[sockets->count++] = *ends;
	sockets->is_sorted = false;
	return 0;
}

int sockets_copy(struct sockets *to, const struct sockets *from)
{
	int err = 0;

	for (size_t i = 0; i < from->count && !err; i++)
		err = sockets_add(to, &from->items[i]);
	return err;
}

static int compare_inodes(const void *left, const void *right)
{
	const struct socket_ends *a = left, *b = right;

	return (a->inode > b->inode) - (a->inode < b->inode);
}

const struct scaler_socket *sockets_find(struct sockets *sockets, uint64_t inode)
{
	const struct socket_ends key = { .inode = inode };
	const struct socket_ends *found;

	if (!sockets->count)
		return NULL;
	if (!sockets->is_sorted)
		qsort(sockets->items, sockets->count, sizeof(*sockets->items), compare_inodes);
	sockets->is_sorted = true;
	found = bsearch(&key, sockets->items, sockets->count, sizeof(key), compare_inodes);
	return found ? &found->socket : NULL;
}

enum socket_side socket_side(const struct scaler_socket *socket)
{
	if (!socket)
		return SOCKET_SIDE_UNKNOWN;
	if (socket->family == AF_UNIX && socket->has_name != socket->peer_has_name)
		return socket->has_name ? SOCKET_SIDE_SERVER : SOCKET_SIDE_CLIENT;
	if ((socket->family != AF_INET && socket->family != AF_INET6) || !socket->local_port)
		return SOCKET_SIDE_UNKNOWN;
	if (!socket->remote_port)
		return socket->type == SOCK_STREAM || socket->local_port < FIRST_EPHEMERAL_PORT ?
			       SOCKET_SIDE_SERVER :
			       SOCKET_SIDE_CLIENT;
	return socket->local_port < socket->remote_port ? SOCKET_SIDE_SERVER : SOCKET_SIDE_CLIENT;
}

void sockets_clear(struct sockets *sockets)
{
	free(sockets->items);
	*sockets = (struct sockets){ 0 };
}
