// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers components, and describes each when it is first seen, so that user space can find its file later, when its
 * processes may be gone.
 */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"
#include "component.bpf.h"
#include "share.bpf.h"

/* A new component is described in place; too large for the stack. */
static const struct scaler_component empty_component;

__u32 last_component __weak;

/* NULL: there is no room for it, or no memory just now. */
static __always_inline struct scaler_component *
component_describe(u32 number, const struct scaler_component_key *key, struct task_struct *task,
		   struct vm_area_struct *mapping, u32 is_application)
{
	struct scaler_component *component;

	if (bpf_map_update_elem(&components, &number, &empty_component, BPF_NOEXIST))
		return NULL;
	component = bpf_map_lookup_elem(&components, &number);
	if (!component)
		return NULL;
	component->key = *key;
	component->start = BPF_CORE_READ(mapping, vm_start);
	component->end = BPF_CORE_READ(mapping, vm_end);
	component->tgid = process_number(task);
	component->uid = BPF_CORE_READ(task, real_cred, uid.val);
	component->application = is_application;
	if (key->device)
		path_read(&component->path, BPF_CORE_READ(mapping, vm_file));
	return component;
}

/* None is without a description. */
__noinline u32 component_add(const struct scaler_component_key *seen, u64 task, u64 mapping,
			     u32 is_application)
{
	struct scaler_component *component = NULL;
	u32 number, result = SCALER_COMPONENT_NONE, *known;

	if (!seen || !finds_mappings || !component_share_is_left((struct task_struct *)task))
		return SCALER_COMPONENT_NONE;
	number = __sync_fetch_and_add(&last_component, 1) + 1;
	if (number < SCALER_COMPONENT_TRACER)
		component = component_describe(number, seen, (struct task_struct *)task,
					       (struct vm_area_struct *)mapping, is_application);
	if (component) {
		/* By the copy that is in a map: before Linux 6.2 none takes another function's (commit d18b2a1b1d6a). */
		if (!bpf_map_update_elem(&component_numbers, &component->key, &number, BPF_NOEXIST)) {
			component_share_take((struct task_struct *)task);
			return number;
		}
		/* Another CPU may have been faster. */
		known = bpf_map_lookup_elem(&component_numbers, &component->key);
		if (known)
			result = *known;
		bpf_map_delete_elem(&components, &number);
	}
	return result;
}

/*
 * Run once on each CPU, before the recording. Where interrupts are disabled there is memory for what a CPU has set aside,
 * and at first that is a single component; once it has been taken, the kernel sets aside more.
 */
SEC("?raw_tp")
int scaler_reserve_component(void *context)
{
	u32 number = SCALER_COMPONENT_KERNEL;

	if (!bpf_map_update_elem(&components, &number, &empty_component, BPF_NOEXIST))
		bpf_map_delete_elem(&components, &number);
	return 0;
}
