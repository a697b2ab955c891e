// SPDX-License-Identifier: GPL-2.0-only
/* Packets that tasks send: by whom the last one of each path was. */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "interrupts.bpf.h"
#include "network.bpf.h"
#include "scratch.bpf.h"
#include "waker.bpf.h"

/* include/uapi/linux/if_ether.h, in.h */
#define ETHERTYPE_IP   0x0800
#define ETHERTYPE_IPV6 0x86dd
#define PROTOCOL_TCP   6
#define PROTOCOL_UDP   17

#define DEVICE_LOOPBACK 0x8 /* include/uapi/linux/if.h: IFF_LOOPBACK */

#define TCP_SYN 0x02
#define TCP_ACK 0x10

/* RFC 791, 8200, 9293. */
struct header_v4 {
	u8 version_and_words; /* of 4 bytes, in the lower half */
	u8 service;
	u16 length, id, fragment;
	u8 time_to_live, protocol;
	u16 checksum;
	u32 source, destination;
};

struct header_v6 {
	u32 flow;
	u16 length;
	u8 next, hop_limit;
	struct network_address source, destination;
};

struct header_tcp {
	u16 source_port, destination_port;
	u32 sequence, acknowledged;
	u8 offset, flags;
};

#define FRAGMENT_OFFSET 0x1fff

struct packet {
	struct network_path path;
	bool opens; /* the other end may be a socket that has no other end yet */
};

/* Interrupted on this CPU by none that sends for a task. */
SCRATCHES(network_scratches, struct network_sender, 1);

/* Returns where its payload's header is; 0: nothing that is followed. */
static __always_inline u64 packet_read_v4(struct packet *packet, u64 at)
{
	struct header_v4 header = {};

	if (bpf_probe_read_kernel(&header, sizeof(header), (void *)at) ||
	    bpf_ntohs(header.fragment) & FRAGMENT_OFFSET)
		return 0;
	packet->path.source = network_address_v4(header.source);
	packet->path.destination = network_address_v4(header.destination);
	packet->path.protocol = header.protocol;
	return at + (header.version_and_words & 0xf) * 4;
}

static __always_inline u64 packet_read_v6(struct packet *packet, u64 at)
{
	struct header_v6 header = {};

	if (bpf_probe_read_kernel(&header, sizeof(header), (void *)at))
		return 0;
	packet->path.source = header.source;
	packet->path.destination = header.destination;
	packet->path.protocol = header.next;
	return at + sizeof(header);
}

static __always_inline bool packet_read_ports(struct packet *packet, u64 at)
{
	struct header_tcp header = {};
	bool is_tcp = packet->path.protocol == PROTOCOL_TCP;

	if (!is_tcp && packet->path.protocol != PROTOCOL_UDP)
		return false;
	if (bpf_probe_read_kernel(&header, is_tcp ? sizeof(header) : offsetof(struct header_tcp, sequence),
				  (void *)at))
		return false;
	packet->path.source_port = bpf_ntohs(header.source_port);
	packet->path.destination_port = bpf_ntohs(header.destination_port);
	packet->opens = !is_tcp || (header.flags & (TCP_SYN | TCP_ACK)) == TCP_SYN;
	return true;
}

static __noinline bool packet_read(struct packet *packet, struct sk_buff *skb)
{
	u64 at = (u64)BPF_CORE_READ(skb, head) + BPF_CORE_READ(skb, network_header);

	switch (bpf_ntohs(BPF_CORE_READ(skb, protocol))) {
	case ETHERTYPE_IP:
		at = packet_read_v4(packet, at);
		break;
	case ETHERTYPE_IPV6:
		at = packet_read_v6(packet, at);
		break;
	default:
		return false;
	}
	if (!at || !packet_read_ports(packet, at))
		return false;
	if (BPF_CORE_READ(skb, dev, flags) & DEVICE_LOOPBACK)
		packet->path.space = BPF_CORE_READ(skb, dev, nd_net.net, ns.inum);
	return true;
}

static __always_inline void packet_note(struct packet *packet, const struct network_sender *sender)
{
	struct network_path *path = &packet->path;

	bpf_map_update_elem(&network_senders, path, sender, BPF_ANY);
	if (!packet->opens)
		return;
	__builtin_memset(&path->source, 0, sizeof(path->source));
	__builtin_memset(&path->destination, 0, sizeof(path->destination));
	path->source_port = 0;
	bpf_map_update_elem(&network_senders, path, sender, BPF_ANY);
}

/* Before the device's queue. What interrupts send is an answer, or goes on with what a task has sent. */
SEC("?tp_btf/net_dev_queue")
int BPF_PROG(scaler_packet_sent, struct sk_buff *skb)
{
	struct task_struct *current = bpf_get_current_task_btf();
	const struct interrupts *now = interrupts_get();
	struct network_sender *sender;
	struct packet packet = {};
	u32 zero = 0;

	if (!now || waker_context(current, now) != SCALER_WAKER_TASK)
		return 0;
	sender = bpf_map_lookup_elem(&network_scratches, &zero);
	if (!sender || !packet_read(&packet, skb))
		return 0;
	waker_read_task(&sender->task, current);
	sender->task.sent_ns = bpf_ktime_get_ns();
	sender->destination = packet.path.destination;
	packet_note(&packet, sender);
	return 0;
}
