/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a call that its thread has not entered before our eyes was issued: found from outside, by stack.bpf.c,
 * while the thread sleeps in it.
 */
#ifndef SCALER_OPEN_CALL_BPF_H
#define SCALER_OPEN_CALL_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/component.h>
#include "maps.bpf.h"

static __always_inline bool open_call_is_placed(const struct scaler_open_call *call)
{
	return scaler_site_component(call->site);
}

/* Gives the call the place that was found for it; false: none was. */
static __always_inline bool open_call_take_place(const struct task_state *state,
						 struct scaler_open_call *call)
{
	if (!call->enter_ns || call->enter_ns != state->placed.enter_ns)
		return false;
	call->site = state->placed.site;
	call->stack = state->placed.stack;
	return true;
}

/* Last its time: who sees that sees all. */
static __always_inline void open_call_place(struct task_state *state, const struct placed_call *placed)
{
	state->placed.site = placed->site;
	state->placed.stack = placed->stack;
	barrier();
	state->placed.enter_ns = placed->enter_ns;
}

#endif
