/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread waits on in a system call: by the call's arguments, as they are when it is switched out. */
#ifndef SCALER_RESOURCE_H
#define SCALER_RESOURCE_H

#include <linux/types.h>

enum scaler_resource_kind {
	SCALER_RESOURCE_NONE, /* not known, or nothing but a time */
	SCALER_RESOURCE_FUTEX,
	SCALER_RESOURCE_FILE,  /* what a descriptor stands for */
	SCALER_RESOURCE_FILES, /* one of several, unknown which: number tells how many */
	SCALER_RESOURCE_CHILD,
	SCALER_RESOURCE_SYSV, /* a message queue or a set of semaphores, of the System V kind */
	SCALER_RESOURCE_FUTEXES, /* one of several, unknown which: number tells how many; id and site are of the first */
	SCALER_RESOURCE_AIO, /* the completion of asynchronous I/O: id is the address of its context */
	/* Nothing that the thread asked for: others hold it, and let it go on. */
	SCALER_RESOURCE_STOPPED, /* its process, by a signal */
	SCALER_RESOURCE_TRACED,  /* the thread, by a debugger */
	SCALER_RESOURCE_FROZEN,  /* its cgroup */
	SCALER_RESOURCE_KINDS,
};

/* Whether a thread that waits so is held by others, whatever it is in. */
static inline int scaler_resource_is_held(enum scaler_resource_kind kind)
{
	return kind >= SCALER_RESOURCE_STOPPED && kind <= SCALER_RESOURCE_FROZEN;
}

/* Bits of scaler_resource.flags. */
#define SCALER_RESOURCE_SHARED 1 /* a futex that other processes may wait on too */
#define SCALER_RESOURCE_SET    2 /* set is the descriptor of an epoll set */
#define SCALER_RESOURCE_RING                                                                                 \
	4 /* set is the descriptor of an io_uring, of whose requests one was on the file */

/* In place of a descriptor: of a registered ring, and of the file that a ring's request is on, which keeps none. */
#define SCALER_NO_DESCRIPTOR (-1)

/* What timeout_ns counts from. */
enum scaler_timeout {
	SCALER_TIMEOUT_NONE, /* none was asked for */
	SCALER_TIMEOUT_RELATIVE,
	SCALER_TIMEOUT_MONOTONIC, /* the machine's, whatever time namespace it was asked for in */
	SCALER_TIMEOUT_REALTIME,
	SCALER_TIMEOUT_OTHER, /* another clock */
};

struct scaler_resource {
	__u8 kind;       /* enum scaler_resource_kind */
	__u8 descriptor; /* of a file: enum scaler_descriptor */
	__u8 flags;
	__u8 timeout; /* enum scaler_timeout */
	/* A file's descriptor, of several that which became ready first; how many files or futexes; a child's PID as its parent sees it,
	 * 0 or below: any of several; a System V identifier. */
	__s32 number;
	__u64 id; /* a futex's address; a file's inode number, of an eventfd its eventfd-id */
	__u64 site; /* of a futex in a file's data (component.h), counted on beyond the file's end; 0: in none */
	__u32 device; /* of a file: that which it is, or lies on; 12 bits major, 20 bits minor */
	__u32 owner; /* of a futex: who seems to hold it, or to be waited for, as the process numbers threads; 0: not known */
	__s32 set;
	__u32 path; /* of a file: the number of its path; 0: not known, or it has none */
	__u64 timeout_ns;
};
_Static_assert(sizeof(struct scaler_resource) == 48, "shared layout");

/* A socket, by its inode number. Ports in the machine's order. */
struct scaler_socket {
	__u16 family;
	__u16 type;
	__u16 protocol;
	__u16 local_port;
	__u16 remote_port; /* 0: it is not connected; of AF_INET and AF_INET6, as are the addresses */
	__u8 has_name; /* of AF_UNIX: not 0 if it is bound to one, as those are that a server has accepted */
	__u8 peer_has_name;
	__u32 space;    /* its network namespace: the number of /proc/PID/ns/net */
	__u8 local[16]; /* the first 4 bytes with AF_INET */
	__u8 remote[16];
	__u64 peer; /* of AF_UNIX: the inode number of the socket that it is connected to; 0: none */
};
_Static_assert(sizeof(struct scaler_socket) == 56, "shared layout");

#endif
