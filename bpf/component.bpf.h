/* SPDX-License-Identifier: GPL-2.0-only */
/* The components that traced programs run, by number. */
#ifndef SCALER_COMPONENT_BPF_H
#define SCALER_COMPONENT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/component.h>
#include "maps.bpf.h"
#include "numbers.bpf.h"

/* What is to be described: what user space is told, and the file, as a number, whose path is read. */
struct component_seen {
	struct scaler_component_key key;
	u64 start; /* of the mapping */
	u64 end;
	u64 file;
	u32 tgid;
	u32 uid;
	u32 application;
	u32 zero;
};

/*
 * Gives a new component its number and describes it; 0: there is no room. A function of its own to the verifier, which
 * checks it once and not for each way that leads here.
 */
u32 component_add(const struct component_seen *seen);

static __always_inline void component_key_of_file(struct scaler_component_key *key, struct inode *inode)
{
	key->inode = BPF_CORE_READ(inode, i_ino);
	key->device = BPF_CORE_READ(inode, i_sb, s_dev);
	key->generation = BPF_CORE_READ(inode, i_generation);
}

/* The number of the component with seen->key, a new one if it was not known; 0: there is no room. */
static __always_inline u32 component_number(struct component_seen *seen, struct task_struct *task,
					    struct vm_area_struct *mapping)
{
	u32 *known = bpf_map_lookup_elem(&component_numbers, &seen->key);

	if (known)
		return *known;
	seen->start = BPF_CORE_READ(mapping, vm_start);
	seen->end = BPF_CORE_READ(mapping, vm_end);
	seen->file = (u64)BPF_CORE_READ(mapping, vm_file);
	seen->tgid = process_number(task);
	seen->uid = BPF_CORE_READ(task, real_cred, uid.val);
	return component_add(seen);
}

/* The build-id of the file that the current task's instruction pointer lies in, if it is not yet known. */
static __always_inline void component_read_build_id(void *context, u32 number)
{
	struct scaler_component *component = bpf_map_lookup_elem(&components, &number);
	struct bpf_stack_build_id frame = {};

	/* One that begins with zeros is asked for again and again, and found. */
	if (!component || !component->key.device || *(u32 *)component->build_id)
		return;
	if (bpf_get_stack(context, &frame, sizeof(frame), BPF_F_USER_STACK | BPF_F_USER_BUILD_ID) ==
		    sizeof(frame) &&
	    frame.status == BPF_STACK_BUILD_ID_VALID)
		__builtin_memcpy(component->build_id, frame.build_id, SCALER_BUILD_ID_SIZE);
}

#endif
