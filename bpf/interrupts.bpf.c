// SPDX-License-Identifier: GPL-2.0-only
/* Which interrupt each CPU serves, for the wakeups that come from it. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "interrupts.bpf.h"

SEC("?tp_btf/softirq_entry")
int BPF_PROG(scaler_softirq_entry, unsigned int vector)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->softirq = vector + 1;
	return 0;
}

SEC("?tp_btf/softirq_exit")
int BPF_PROG(scaler_softirq_exit, unsigned int vector)
{
	struct interrupts *now = interrupts_get();

	if (now) {
		now->softirq = 0;
		interrupts_end(now, SCALER_WAKER_SOFTIRQ);
	}
	return 0;
}

SEC("?tp_btf/irq_handler_entry")
int BPF_PROG(scaler_irq_entry, int irq, struct irqaction *action)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->hardirq = irq + 1;
	return 0;
}

SEC("?tp_btf/irq_handler_exit")
int BPF_PROG(scaler_irq_exit, int irq, struct irqaction *action, int result)
{
	struct interrupts *now = interrupts_get();

	if (now) {
		now->hardirq = 0;
		interrupts_end(now, SCALER_WAKER_HARDIRQ);
	}
	return 0;
}

SEC("?tp_btf/timer_expire_entry")
int BPF_PROG(scaler_timer_entry, struct timer_list *timer)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->softirq_timer = true;
	return 0;
}

SEC("?tp_btf/timer_expire_exit")
int BPF_PROG(scaler_timer_exit, struct timer_list *timer)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->softirq_timer = false;
	return 0;
}

SEC("?tp_btf/hrtimer_expire_entry")
int BPF_PROG(scaler_hrtimer_entry, struct hrtimer *timer)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->hardirq_timer = true;
	return 0;
}

SEC("?tp_btf/hrtimer_expire_exit")
int BPF_PROG(scaler_hrtimer_exit, struct hrtimer *timer)
{
	struct interrupts *now = interrupts_get();

	if (now)
		now->hardirq_timer = false;
	return 0;
}
