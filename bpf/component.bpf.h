/* SPDX-License-Identifier: GPL-2.0-only */
/* The components that traced programs run, by number. */
#ifndef SCALER_COMPONENT_BPF_H
#define SCALER_COMPONENT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/component.h>
#include "file_key.bpf.h"
#include "maps.bpf.h"
#include "numbers.bpf.h"
#include "path.bpf.h"

/*
 * Gives a new component its number and describes it as it is seen in a task's mapping, a struct vm_area_struct; 0: there is
 * no room. A function of its own to the verifier, which checks it once and not for each way that leads here, and so takes
 * pointers as numbers.
 */
u32 component_add(const struct scaler_component_key *key, u64 task, u64 mapping, u32 is_application);

/* As a function that the verifier looks at by itself can be given it. */
static __always_inline u64 pointer_number(const void *pointer)
{
	u64 number = (u64)pointer;

	bpf_probe_read_kernel(&number, sizeof(number), &number);
	return number;
}

/* The number of the component with that key, a new one if it was not known; 0: there is no room. */
static __always_inline u32 component_number(const struct scaler_component_key *key, struct task_struct *task,
					    struct vm_area_struct *mapping, bool is_application)
{
	u32 *known = bpf_map_lookup_elem(&component_numbers, key);

	return known ? *known :
		       component_add(key, pointer_number(task), pointer_number(mapping), is_application);
}

/* The build-id of the file that the current task's instruction pointer lies in, if it is not yet known. */
__attribute__((unused)) static __noinline void component_read_build_id(void *context, u32 number)
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
