/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Components and sites: the files that code is mapped from, and instructions in them. A site names an
 * instruction by its file and the offset in it, so that it is the same in every process and outlives them.
 */
#ifndef SCALER_COMPONENT_H
#define SCALER_COMPONENT_H

#include <linux/types.h>
#include <scaler/path.h>

/*
 * A site in one word: the component's number, and below it an offset in its file. Component 0 is
 * none: the offset then is an address in the process, not yet placed.
 */
#define SCALER_SITE_OFFSET_BITS 48
#define SCALER_COMPONENT_LIMIT  (1 << 16)
#define SCALER_COMPONENT_NONE   0
/* The kernel itself; offsets in it are the lower bits of addresses. */
#define SCALER_COMPONENT_KERNEL (SCALER_COMPONENT_LIMIT - 1)
/* The tracer: its programs in the kernel, and what its probes make the CPU do. All of it is one site, at offset 0. */
#define SCALER_COMPONENT_TRACER (SCALER_COMPONENT_KERNEL - 1)

static inline __attribute__((always_inline)) __u64 scaler_site(__u32 component, __u64 offset)
{
	return (__u64)component << SCALER_SITE_OFFSET_BITS |
	       (offset & ((1ULL << SCALER_SITE_OFFSET_BITS) - 1));
}

static inline __attribute__((always_inline)) __u32 scaler_site_component(__u64 site)
{
	return site >> SCALER_SITE_OFFSET_BITS;
}

static inline __attribute__((always_inline)) __u64 scaler_site_offset(__u64 site)
{
	return site & ((1ULL << SCALER_SITE_OFFSET_BITS) - 1);
}

/* Mapped code that is no file's: identified by its kind, in place of the inode number. */
enum scaler_component_kind {
	SCALER_COMPONENT_VDSO = 1,
	SCALER_COMPONENT_COMPAT_VDSO, /* of 32-bit programs */
	SCALER_COMPONENT_ANONYMOUS, /* generated at run time: one component a process, offsets are addresses */
	SCALER_COMPONENT_KERNEL_CODE,
	SCALER_COMPONENT_UPROBES, /* what the kernel maps into programs that are probed: where their functions return to */
	SCALER_COMPONENT_TRACER_CODE,
};

/* What a component is, to the kernel. */
struct scaler_component_key {
	__u64 inode;
	__u32 device;     /* 12 bits major, 20 bits minor; 0: inode is an enum scaler_component_kind */
	__u32 generation; /* of the inode number, where the file system has one; of generated code the process */
	__u64 process_start_ns; /* of generated code, after the machine's; 0: not known, or a file */
};

#define SCALER_BUILD_ID_SIZE 20

/*
 * A component as it was first seen: enough to find its file later, and to know whether it is the
 * same. The path is that of the process's mount namespace.
 */
struct scaler_component {
	struct scaler_component_key key;
	__u64 start; /* the mapping that it was seen in, as /proc/PID/map_files names it */
	__u64 end;
	__u32 tgid;
	__u32 uid;                           /* of the process */
	__u32 application;                   /* what it was first seen in executes it, or it is generated */
	__u8 build_id[SCALER_BUILD_ID_SIZE]; /* zeros: none, or it could not be read */
	__u32 moved; /* not 0: processes have moved code of it to memory of their own, where it has no probes */
	__u32 zero;
	struct scaler_path path;
};
_Static_assert(sizeof(struct scaler_component) == 80 + sizeof(struct scaler_path), "shared layout");

#endif
