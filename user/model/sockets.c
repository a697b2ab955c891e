// SPDX-License-Identifier: GPL-2.0-only
/* The sockets that threads waited on, by inode number. */
#include "model/sockets.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"

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

void sockets_clear(struct sockets *sockets)
{
	free(sockets->items);
	*sockets = (struct sockets){ 0 };
}
