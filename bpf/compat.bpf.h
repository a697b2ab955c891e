/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between kernels and architectures that the BPF programs must know of.
 */
#ifndef SCALER_COMPAT_BPF_H
#define SCALER_COMPAT_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <scaler/record.h>
#include <scaler/unwind_step.h>

#define SCALER_TS_COMPAT 0x0002 /* arch/x86/include/asm/thread_info.h: in a 32-bit system call */

/*
 * include/linux/sched.h: the flags of tasks that never run in user space, PF_KTHREAD and PF_USER_WORKER, which is the
 * kernel's own thread in a process, before 6.4 of io_uring only.
 */
#define TASK_KERNEL_THREAD 0x00200000
#define TASK_KERNEL_FLAGS  (TASK_KERNEL_THREAD | 0x00004000)
#define TASK_IO_WORKER     0x00000010 /* PF_IO_WORKER: one that does the requests of an io_uring */

/*
 * A task's address space, 0 for the kernel's own threads: read as memory, where it is not read at every call or switch.
 * For each pointer that a program takes from a task the verifier searches all of the kernel's types several times by
 * name (kernel/bpf/verifier.c: type_is_trusted and the like; 2.5 ms on Linux 6.18), once for each way that leads there.
 */
static __always_inline u64 task_address_space(struct task_struct *task)
{
	return (u64)BPF_CORE_READ(task, mm);
}

/* Which table the current system call's number belongs to. */
static __always_inline u8 task_call_abi(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	if (bpf_core_field_exists(task->thread_info.status) && (task->thread_info.status & SCALER_TS_COMPAT))
		return SCALER_ABI_COMPAT;
#endif
	return SCALER_ABI_NATIVE;
}

/* An argument of a call of the native table, counted from 0 on; while the task is in it, and at its exit. */
static __always_inline u64 call_argument(struct pt_regs *regs, const int index)
{
	return index == 0 ? PT_REGS_PARM1_SYSCALL(regs) :
	       index == 1 ? PT_REGS_PARM2_SYSCALL(regs) :
	       index == 2 ? PT_REGS_PARM3_SYSCALL(regs) :
	       index == 3 ? PT_REGS_PARM4_SYSCALL(regs) :
			    PT_REGS_PARM5_SYSCALL(regs);
}

/* The sixth. */
static __always_inline u64 call_last_argument(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return regs->r9;
#else
	return ((struct user_pt_regs *)regs)->regs[5];
#endif
}

/* Where user space goes on from an interrupt or a fault. */
static __always_inline u64 interrupted_address(struct pt_regs *regs)
{
	return PT_REGS_IP(regs);
}

/* The last byte of the instruction that has issued the call that a task is in. */
static __always_inline u64 call_address(struct pt_regs *regs)
{
	return PT_REGS_IP(regs) - 1;
}

#define XOL_SLOT_BYTES 128 /* kernel/events/uprobes.c: UPROBE_XOL_SLOT_BYTES */

/* Where a task is that may be executing a probed instruction, which most are executed from a copy elsewhere. */
static __always_inline u64 original_address(struct task_struct *task, u64 address)
{
	struct uprobe_task *probed;
	u64 copy;

	if (!bpf_core_field_exists(task->utask))
		return address;
	probed = BPF_CORE_READ(task, utask);
	copy = probed ? BPF_CORE_READ(probed, xol_vaddr) : 0;
	return copy && address - copy < XOL_SLOT_BYTES ? BPF_CORE_READ(probed, vaddr) + (address - copy) :
							 address;
}

static __always_inline u64 stack_pointer(struct pt_regs *regs)
{
	return PT_REGS_SP(regs);
}

/* Above everything that a thread has called; 0: not known. Threads have their own data at the top of their stacks. */
static __always_inline u64 own_stack_top(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return task->pid == task->tgid ? BPF_CORE_READ(task, mm, start_stack) : task->thread.fsbase;
#else
	return 0;
#endif
}

/* Where the functions of a process return to whose returns are probed; 0: none has been yet. */
static __always_inline u64 return_trampoline(struct task_struct *task)
{
	struct xol_area *area;

	if (!bpf_core_field_exists(task->mm->uprobes_state) || !bpf_core_type_exists(struct xol_area))
		return 0;
	area = BPF_CORE_READ(task, mm, uprobes_state.xol_area);
	return area ? BPF_CORE_READ(area, vaddr) : 0;
}

/* At a function's first instruction: where it returns to; 0: not known. */
static __always_inline u64 return_address(struct pt_regs *regs)
{
	u64 address = 0;

#if defined(__TARGET_ARCH_x86)
	bpf_probe_read_user(&address, sizeof(address), (void *)PT_REGS_SP(regs));
#elif defined(__TARGET_ARCH_arm64)
	address = PT_REGS_RET(regs);
#endif
	return address;
}

/* What a perf event interrupted, be it in the kernel or in user space. */
static __always_inline u64 event_address(struct bpf_perf_event_data *context)
{
#if defined(__TARGET_ARCH_x86)
	return context->regs.ip;
#elif defined(__TARGET_ARCH_arm64)
	return context->regs.pc;
#endif
}

/* The upper half of all addresses is the kernel's. */
static __always_inline bool address_is_kernel(u64 address)
{
	return (s64)address < 0;
}

/* The caller's frame as a system call has left it; of x86-64, as all of unwinding is. */
static __always_inline void call_frame(struct pt_regs *regs, struct scaler_frame *frame)
{
	frame->pc = call_address(regs);
	frame->rbp_at = SCALER_REGISTER_KNOWN;
	frame->rbx_at = SCALER_REGISTER_KNOWN;
#if defined(__TARGET_ARCH_x86)
	frame->sp = PT_REGS_SP(regs);
	frame->rbp = PT_REGS_FP(regs);
	frame->rbx = regs->bx;
	frame->rdi = regs->di;
#endif
}

/* Whether bpf_find_vma() is there, from Linux 5.17 on (commit 7c7e3d31e785, "bpf: Introduce helper bpf_find_vma"). */
const volatile bool finds_mappings __weak = true;

/* The call that a task is in or returns from; below 0: none. */
static __always_inline long call_number(struct pt_regs *regs)
{
#if defined(__TARGET_ARCH_x86)
	return (long)regs->orig_ax;
#elif defined(__TARGET_ARCH_arm64)
	return (s32)regs->syscallno;
#endif
}

/* The task's scheduling state as it is now: 0 is able to run, all bits else some kind of sleep. */
static __always_inline u32 task_sleep_state(struct task_struct *task)
{
	if (bpf_core_field_exists(task->__state))
		return task->__state;
	return (u32)((struct task_struct___before_5_14 *)task)->state;
}

/*
 * Set by user space before loading, from the kernel's BTF: how far each CPU's preempt count is from its struct rq; 0:
 * not known. The symbols themselves cannot be had where the kernel's table has no data (CONFIG_KALLSYMS_ALL).
 */
const volatile __s64 preempt_count_from_rq __weak;

/* What the current CPU is at, as include/linux/preempt.h has it; current is who runs there. False: not known. */
static __always_inline bool preempt_count_read(struct task_struct *current, u32 *count)
{
	struct rq *rq;

	if (!preempt_count_from_rq || !bpf_core_field_exists(current->se.cfs_rq))
		return false;
	rq = BPF_CORE_READ(current, se.cfs_rq, rq);
	return rq && !bpf_probe_read_kernel(count, sizeof(*count), (void *)rq + preempt_count_from_rq);
}

/*
 * _TIF_SIGPENDING is 4, and since Linux 6.18 it is 2 (include/asm-generic/thread_info_tif.h). The other bit is that of
 * work to be done on the way to user space, of which a sleeping task seldom has any.
 */
#define TASK_SIGNAL_PENDING (2 | 4)

/* Whether a signal that is pending may be for the task itself, and not for another of its process. */
static __always_inline bool task_has_signal(struct task_struct *task)
{
#if defined(__TARGET_ARCH_x86)
	return task->thread_info.flags & TASK_SIGNAL_PENDING;
#else
	return true;
#endif
}

/* Set by user space before loading, from the tracepoint's type in the kernel's BTF. */
const volatile bool switch_passes_state __weak = false;

/*
 * The state in which the scheduler switches prev out. Since 5.18 (commit fa2c3254d7cf, "sched/tracing:
 * Don't re-read p->state when emitting sched_switch event") it is the tracepoint's fourth argument;
 * the task's own field may already have been changed by a waker.
 */
static __always_inline u32 switch_prev_state(u64 *context, struct task_struct *prev)
{
	return switch_passes_state ? (u32)context[3] : task_sleep_state(prev);
}

#endif
