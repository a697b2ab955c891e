/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a probe on the return of a call is harmless in the current process: by the files that it runs code from, at
 * this moment. What those may do user space tells; until it has looked at a file that is new, nothing is harmless.
 */
#ifndef SCALER_RETURN_SAFETY_BPF_H
#define SCALER_RETURN_SAFETY_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <scaler/library.h>
#include <scaler/return_hazard.h>
#include "filter.bpf.h"
#include "library_state.bpf.h"
#include "process_events.bpf.h"

/*
 * What may happen in the current process, which runs so many pages of code: enum scaler_return_hazard. It asks user space
 * about files that are new.
 */
u32 process_hazards_find(u64 pages);

/* What was found out of it, once nothing in it is new: enum scaler_return_hazard. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct process_code);
	__type(value, u32);
} process_hazards __weak SEC(".maps");

/* Looking at all mappings takes some ten microseconds. */
#define HAZARDS_AGAIN_NS 4000000

static __noinline int known_hazards_update(struct known_hazards *known, u64 now_ns)
{
	struct process_code code;
	u32 *found;

	if (!known)
		return 0;
	code = known->code;
	found = bpf_map_lookup_elem(&process_hazards, &code);
	known->hazards = found ? *found : process_hazards_find(code.pages);
	known->again_ns = now_ns + HAZARDS_AGAIN_NS;
	if (!found && !(known->hazards & SCALER_RETURN_UNKNOWN))
		bpf_map_update_elem(&process_hazards, &code, &known->hazards, BPF_ANY);
	return 0;
}

static __noinline int known_traced_update(struct known_hazards *known)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!known)
		return 0;
	known->traced = task->ptrace ? SCALER_RETURN_TRACED : 0;
	process_event_send(task, SCALER_PROCESS_MAPPED);
	return 0;
}

/*
 * Whether the return of a call of that function, which begins now in that address space with so many pages of code, may be
 * probed.
 */
static __always_inline bool return_is_safe(struct task_struct *task, struct scaler_function *function,
					   struct known_hazards *known, u64 address_space, u64 pages,
					   u64 now_ns)
{
	u32 hazards;

	if (!task->ptrace != !known->traced)
		known_traced_update(known);
	if (known->code.address_space != address_space || known->code.pages != pages ||
	    (known->hazards & SCALER_RETURN_UNKNOWN && now_ns >= known->again_ns)) {
		if (!records_calls && known->code.pages && known->code.pages != pages)
			process_event_send(task, SCALER_PROCESS_MAPPED);
		known->code.address_space = address_space;
		known->code.pages = pages;
		known_hazards_update(known, now_ns);
	}
	hazards = (known->traced | known->hazards) & function->hazards;
	if (hazards & ~function->hazards_met)
		function->hazards_met |= hazards;
	return !hazards;
}

#endif
