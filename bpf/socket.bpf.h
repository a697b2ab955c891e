/* SPDX-License-Identifier: GPL-2.0-only */
/* The sockets that threads wait on: what is at their two ends. */
#ifndef SCALER_SOCKET_BPF_H
#define SCALER_SOCKET_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <scaler/resource.h>
#include "hash_map.bpf.h"
#include "maps.bpf.h"

/* include/linux/socket.h */
#define SCALER_AF_UNIX  1
#define SCALER_AF_INET  2
#define SCALER_AF_INET6 10

/* By inode number. */
HASH_MAP(65536, u64, struct scaler_socket) sockets __weak SEC(".maps");

/* 0: it has none, as while it is not accepted yet. */
static __always_inline u64 socket_inode(struct sock *sock)
{
	struct socket *socket = BPF_CORE_READ(sock, sk_socket);
	struct socket_alloc *both = container_of(socket, struct socket_alloc, socket);

	return socket ? BPF_CORE_READ(both, vfs_inode.i_ino) : 0;
}

/* Of AF_UNIX. */
static __always_inline bool socket_has_name(struct sock *sock)
{
	return BPF_CORE_READ((struct unix_sock *)sock, addr);
}

static __always_inline void socket_read_ends(struct scaler_socket *ends, struct sock *sock)
{
	ends->space = BPF_CORE_READ(sock, __sk_common.skc_net.net, ns.inum);
	ends->local_port = BPF_CORE_READ(sock, __sk_common.skc_num);
	ends->remote_port = bpf_ntohs(BPF_CORE_READ(sock, __sk_common.skc_dport));
	if (ends->family == SCALER_AF_INET) {
		bpf_core_read(ends->local, sizeof(u32), &sock->__sk_common.skc_rcv_saddr);
		bpf_core_read(ends->remote, sizeof(u32), &sock->__sk_common.skc_daddr);
	} else {
		bpf_core_read(ends->local, sizeof(ends->local), &sock->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(ends->remote, sizeof(ends->remote), &sock->__sk_common.skc_v6_daddr);
	}
}

/* Those that are connected stay as they are. */
static __always_inline void socket_note(struct file *file, u64 inode)
{
	const struct scaler_socket *known = bpf_map_lookup_elem(&sockets, &inode);
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sock = BPF_CORE_READ(socket, sk), *peer;
	struct scaler_socket ends = {};

	if (!sock || (known && (known->remote_port || known->peer)))
		return;
	ends.family = BPF_CORE_READ(sock, __sk_common.skc_family);
	ends.type = BPF_CORE_READ(sock, sk_type);
	ends.protocol = BPF_CORE_READ(sock, sk_protocol);
	if (ends.family == SCALER_AF_UNIX) {
		peer = BPF_CORE_READ((struct unix_sock *)sock, peer);
		ends.peer = peer ? socket_inode(peer) : 0;
		ends.has_name = socket_has_name(sock);
		ends.peer_has_name = peer && socket_has_name(peer);
	} else if (ends.family == SCALER_AF_INET || ends.family == SCALER_AF_INET6) {
		socket_read_ends(&ends, sock);
	}
	if (bpf_map_update_elem(&sockets, &inode, &ends, BPF_ANY))
		loss_count(SCALER_LOSS_SOCKET_MAP);
}

#endif
