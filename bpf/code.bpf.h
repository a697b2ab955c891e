/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of an instruction in an address space: its site, and the rule that leads to its frame's
 * caller. User space gives rules by site, so that they hold in every process; here they are kept by address,
 * so that a walk needs one lookup a frame.
 */
#ifndef SCALER_CODE_BPF_H
#define SCALER_CODE_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <asm/errno.h>
#include <scaler/known_code.h>
#include <scaler/stack.h>
#include <scaler/unwind.h>
#include "hash_map.bpf.h"
#include "likely.bpf.h"
#include "site.bpf.h"
#include "stack.bpf.h"

/* By site; user space adds to it, and nobody takes away. */
HASH_MAP(65536, u64, struct scaler_unwind_rule) unwind_rules __weak SEC(".maps");

/* By scaler_code_key(). */
LRU_MAP(65536, u64, struct scaler_known_code) known_codes __weak SEC(".maps");

/* Whether the current task's mappings can be told now, an enum scaler_stack_end; *code is what they tell. */
__weak __noinline int code_search(u64 address, struct scaler_known_code *code)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct site_search search = { .address = address, .site = scaler_site(0, address) };
	const struct scaler_unwind_rule *rule;
	long err;

	if (!code)
		return SCALER_STACK_BUSY;
	err = site_find_mapping(task, &search);
	code->site = search.site;
	if (err)
		return err == -ENOENT ? SCALER_STACK_NO_CODE : SCALER_STACK_BUSY;
	if (!search.executable)
		return SCALER_STACK_NO_CODE;
	if (stack_depth.to_application && search.application) {
		code->rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_AS_ASKED };
		return SCALER_STACK_GOES_ON;
	}
	if (search.anonymous) {
		code->rule = (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_FRAME_POINTER };
		return SCALER_STACK_GOES_ON;
	}
	rule = bpf_map_lookup_elem(&unwind_rules, &search.site);
	code->rule = rule ? *rule : (struct scaler_unwind_rule){ .kind = SCALER_UNWIND_UNKNOWN };
	return SCALER_STACK_GOES_ON;
}

static __always_inline bool code_is_known(u64 address_space, u64 address, struct scaler_known_code *code)
{
	u64 key = scaler_code_key(address_space, address);
	const struct scaler_known_code *known = bpf_map_lookup_elem(&known_codes, &key);

	if (!known)
		return false;
	*code = *known;
	barrier(); /* it may be another by now: what is checked is what was read */
	return code->check == scaler_known_code_check(address_space, address, code);
}

/* What is known of the code at an address, which the current task executes; is_new: it was not known here. */
static __always_inline enum scaler_stack_end code_find(u64 address_space, u64 address,
						       struct scaler_known_code *code, bool *is_new)
{
	u64 key = scaler_code_key(address_space, address);
	enum scaler_stack_end end;

	if (likely(code_is_known(address_space, address, code)))
		return code->rule.kind == SCALER_UNWIND_NO_CODE ? SCALER_STACK_NO_CODE : SCALER_STACK_GOES_ON;
	*is_new = true;
	end = code_search(address, code);
	if (end || code->rule.kind == SCALER_UNWIND_UNKNOWN)
		return end;
	code->check = scaler_known_code_check(address_space, address, code);
	bpf_map_update_elem(&known_codes, &key, code, BPF_ANY);
	return SCALER_STACK_GOES_ON;
}

#endif
