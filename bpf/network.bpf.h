/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has sent what a socket gets from this host: the last task that sent a packet along a path, noted as the packet is
 * queued at the device, from where it may reach the other end at once, or later, by way of a device that delays it.
 */
#ifndef SCALER_NETWORK_BPF_H
#define SCALER_NETWORK_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/blocking.h>
#include "hash_map.bpf.h"
#include "socket.bpf.h"

/* IPv4 as in RFC 4291, 2.5.5.2: ::ffff:a.b.c.d. */
struct network_address {
	u32 words[4];
};

/* To a socket that has no other end, from anywhere: source, source_port and destination are 0. */
struct network_path {
	struct network_address source, destination;
	u32 space; /* the network namespace, of its own loopback device; 0: of all other devices */
	u16 source_port, destination_port;
	u32 protocol;
};

struct network_sender {
	struct scaler_waker task;           /* sent_ns tells when */
	struct network_address destination; /* of paths that have none */
};

LRU_MAP(16384, struct network_path, struct network_sender) network_senders __weak SEC(".maps");

static __always_inline struct network_address network_address_v4(u32 address)
{
	return (struct network_address){ .words = { 0, 0, bpf_htonl(0xffff), address } };
}

static __always_inline bool network_address_is(const struct network_address *a,
					       const struct network_address *b)
{
	return a->words[0] == b->words[0] && a->words[1] == b->words[1] && a->words[2] == b->words[2] &&
	       a->words[3] == b->words[3];
}

static __always_inline bool network_address_is_any(const struct network_address *address)
{
	return !address->words[0] && !address->words[1] && !address->words[3];
}

static __always_inline struct network_address socket_address(const struct scaler_socket *ends,
							     const u8 bytes[16])
{
	struct network_address address;

	if (ends->family == SCALER_AF_INET)
		return network_address_v4(*(const u32 *)bytes);
	__builtin_memcpy(&address, bytes, sizeof(address));
	return address;
}

static __always_inline const struct network_sender *network_find(struct network_path *path, u32 space)
{
	const struct network_sender *sender;

	path->space = space;
	sender = bpf_map_lookup_elem(&network_senders, path);
	if (sender)
		return sender;
	path->space = 0;
	return bpf_map_lookup_elem(&network_senders, path);
}

/* The last that has sent to a socket, by its inode number; NULL: none on this host, or it is not known. */
static __always_inline const struct network_sender *network_sender_to(u64 inode)
{
	const struct scaler_socket *ends = bpf_map_lookup_elem(&sockets, &inode);
	const struct network_sender *sender;
	struct network_path path = {};
	struct network_address local;

	if (!ends || (ends->family != SCALER_AF_INET && ends->family != SCALER_AF_INET6))
		return NULL;
	local = socket_address(ends, ends->local);
	path.protocol = ends->protocol;
	path.destination_port = ends->local_port;
	if (ends->remote_port) {
		path.destination = local;
		path.source = socket_address(ends, ends->remote);
		path.source_port = ends->remote_port;
		return network_find(&path, ends->space);
	}
	sender = network_find(&path, ends->space);
	if (sender && !network_address_is_any(&local) && !network_address_is(&local, &sender->destination))
		return NULL;
	return sender;
}

#endif
