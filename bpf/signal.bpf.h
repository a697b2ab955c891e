/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals that end a wait. */
#ifndef SCALER_SIGNAL_BPF_H
#define SCALER_SIGNAL_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "compat.bpf.h"
#include "sleep_state.bpf.h"

#define SIGNAL_KILL     9
#define SIGNAL_BIT_KILL (1UL << (SIGNAL_KILL - 1))
#define SIGNAL_CONTINUE 18

/* clang 14 has no code for __builtin_ctzll(). */
static __always_inline u8 signal_lowest(u64 signals)
{
	u8 number = 1;

	if (!signals)
		return 0;
	for (int width = 32; width; width /= 2) {
		if (!(signals << (64 - width))) {
			signals >>= width;
			number += width;
		}
	}
	return number;
}

/*
 * The signal that a task is being woken for, which the kernel makes known before the wakeup: no task falls asleep in a
 * state that a signal ends while one is pending. Of several it is the one that is delivered first. A stopped task goes
 * on for two signals, of which one is not made pending first.
 */
static __always_inline u8 signal_find(struct task_struct *task)
{
	u32 state = task_sleep_state(task);
	u64 pending = 0;

	if (!(state & (STATE_INTERRUPTIBLE | STATE_STOPPED | STATE_WAKEKILL)))
		return 0;
	if (task_has_signal(task)) {
		pending = task->pending.signal.sig[0] |
			  BPF_CORE_READ(task, signal, shared_pending.signal.sig[0]);
		pending &= ~task->blocked.sig[0];
	}
	if (state & STATE_STOPPED)
		return pending & SIGNAL_BIT_KILL ? SIGNAL_KILL : SIGNAL_CONTINUE;
	if (!(state & STATE_INTERRUPTIBLE))
		pending &= SIGNAL_BIT_KILL;
	return pending & SIGNAL_BIT_KILL ? SIGNAL_KILL : signal_lowest(pending);
}

#endif
