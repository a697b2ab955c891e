// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads are traced: those found at the start (a task iterator over the target processes)
 * and the threads and children that they create from then on; and what becomes of their figures
 * when they exit or the recording ends.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "maps.bpf.h"
#include "compat.bpf.h"
#include "descriptor.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct scaler_window window = SCALER_WINDOW_CLOSED;
__u64 losses[SCALER_LOSS_COUNT];
__u32 last_serial;
/* Threads that the last run of the iterator found new: user space repeats it until there are none,
 * so that a thread created beside the iterator's position is not missed. */
__u32 tasks_found;

#define TASK_WAKING 0x0200 /* include/linux/sched.h: a waker is at work, the task can run */

static enum scaler_state current_state(struct task_struct *task)
{
	u32 sleep = task_sleep_state(task);

	if (task->on_cpu)
		return SCALER_RUNNING;
	return sleep && !(sleep & TASK_WAKING) ? SCALER_BLOCKED : SCALER_RUNNABLE;
}

static struct task_state *task_state_create(struct task_struct *task, enum scaler_state first)
{
	struct task_state *state;
	u64 now_ns = bpf_ktime_get_ns();

	state = bpf_task_storage_get(&task_states, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!state) {
		loss_count(SCALER_LOSS_TASK_STORAGE);
		return NULL;
	}
	state->exec_runtime_ns = task->se.sum_exec_runtime;
	state->voluntary = task->nvcsw;
	state->thread.state = first;
	state->thread.start_ns = now_ns;
	state->thread.since_ns = now_ns;
	state->thread.serial = __sync_fetch_and_add(&last_serial, 1) + 1;
	return state;
}

/*
 * The call that a thread is in when it is found. Off its CPU, its registers tell; on a CPU they may be
 * those of its last entry, so that only its next return to user space tells whether it was in one.
 */
static void find_call(struct task_state *state, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long number = call_number(regs);

	state->found_on_cpu = state->thread.state == SCALER_RUNNING;
	if (state->found_on_cpu || number < 0)
		return;
	state->thread.call.id.number = number;
	state->thread.call.id.abi = task_call_abi(task);
	state->thread.call.id.descriptor =
		call_descriptor(task, regs, state->thread.call.id.abi, number);
	state->thread.call.site = scaler_site(0, call_return_address(regs));
	state->thread.call.enter_ns = state->thread.start_ns;
}

SEC("iter/task")
int scaler_find_targets(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_state *state;
	u32 *waits_for_exec;
	u32 tgid;

	if (!task)
		return 0;
	tgid = task->tgid;
	waits_for_exec = bpf_map_lookup_elem(&target_processes, &tgid);
	if (!waits_for_exec || bpf_task_storage_get(&task_states, task, 0, 0))
		return 0;
	/* Its state may change beside us; the first switch seen then puts it right. */
	state = task_state_create(task, current_state(task));
	if (state) {
		state->waits_for_exec = *waits_for_exec;
		find_call(state, task);
		tasks_found++;
	}
	return 0;
}

/* Its first wakeup follows at once, so a new thread waits for a CPU from the beginning. */
SEC("tp_btf/task_newtask")
int BPF_PROG(scaler_task_new, struct task_struct *child, u64 clone_flags)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct task_state *state = bpf_task_storage_get(&task_states, parent, 0, 0), *new;

	if (!state || bpf_task_storage_get(&task_states, child, 0, 0))
		return 0;
	new = task_state_create(child, SCALER_RUNNABLE);
	if (new)
		new->waits_for_exec = state->waits_for_exec;
	return 0;
}

/* Hands the thread's figures over, if any of its life lies within the recording. */
static void thread_store(struct task_state *state, struct task_struct *task)
{
	struct scaler_thread *thread = &state->thread;
	u32 serial = thread->serial;

	if (state->waits_for_exec || thread->start_ns >= window.end_ns)
		return;
	if (thread->end_ns && thread->end_ns <= window.start_ns)
		return;
	thread->tgid = task->tgid;
	thread->tid = task->pid;
	__builtin_memcpy(thread->comm, task->comm, sizeof(thread->comm));
	if (bpf_map_update_elem(&threads, &serial, thread, BPF_ANY))
		loss_count(SCALER_LOSS_THREAD_MAP);
}

/* Deleted here and not with the task, or an iterator would still list a zombie as traced. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(scaler_task_exit, struct task_struct *task)
{
	struct task_state *state = bpf_task_storage_get(&task_states, task, 0, 0);
	u64 now_ns = bpf_ktime_get_ns();

	if (!state)
		return 0;
	scaler_thread_close(&state->thread, &window, now_ns);
	if (now_ns < window.end_ns)
		state->thread.end_ns = now_ns;
	thread_store(state, task);
	bpf_task_storage_delete(&task_states, task);
	return 0;
}

/* At the end of the recording, when switches are no longer followed: the threads that live on. */
SEC("iter/task")
int scaler_store_threads(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_state *state;

	if (!task)
		return 0;
	state = bpf_task_storage_get(&task_states, task, 0, 0);
	if (state)
		thread_store(state, task);
	return 0;
}
