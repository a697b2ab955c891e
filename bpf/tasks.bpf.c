// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which threads are traced: those found by an iterator over all, what they create from then on, and
 * others that become what was asked for; and what becomes of their figures when they exit or the
 * recording ends.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "address_space.bpf.h"
#include "blocking_end.bpf.h"
#include "maps.bpf.h"
#include "compat.bpf.h"
#include "descriptor.bpf.h"
#include "filter.bpf.h"
#include "library_stack.bpf.h"
#include "open_call.bpf.h"
#include "process_events.bpf.h"
#include "sleep_state.bpf.h"
#include "target.bpf.h"
#include "task_state.bpf.h"
#include "thread_repair.bpf.h"

char LICENSE[] SEC("license") = "GPL";

bool announces_found; /* those of the beginning are known without */
/* All calls are recorded. */
struct scaler_call_window call_window = { .stamp = 1,
					  .is_open = 1,
					  .closed_ns = { [0 ... SCALER_WINDOW_GROUPS - 1] = ~0ULL } };
struct scaler_window window = { ~0ULL, ~0ULL, 0, 0 }; /* closed */
__u64 losses[SCALER_LOSS_COUNTERS];
__u64 rows_held[SCALER_ROWS_COUNT];
__u32 last_serial;
/* Threads that have a state now. */
__u32 tasks_followed;
/* Threads that the last run of the iterator found new: user space repeats it until there are none,
 * so that a thread created beside the iterator's position is not missed. */
__u32 tasks_found;

/* Reading the iterator returns EAGAIN, and then this task once more. */
#define ITERATOR_AGAIN 1
/* Each is more work for the verifier. */
#define READ_ATTEMPTS 16

static enum scaler_state current_state(struct task_struct *task)
{
	u32 sleep = task_sleep_state(task);

	if (task->on_cpu)
		return SCALER_RUNNING;
	return sleep && !(sleep & STATE_WAKING) ? SCALER_BLOCKED : SCALER_RUNNABLE;
}

static struct task_state *task_state_create(struct task_struct *task, enum scaler_state first,
					    enum dormancy dormant)
{
	struct task_state *state;

	state = task_state_make(task);
	if (!state) {
		loss_count(SCALER_LOSS_TASK_STORAGE);
		return NULL;
	}
	if (records_blocking)
		blocking_state_get(task);
	__sync_fetch_and_add(&tasks_followed, 1);
	state->dormant = dormant;
	state->thread.serial = __sync_fetch_and_add(&last_serial, 1) + 1;
	/* Only a thread that its process has created goes on in an address space that is known. */
	if (task == bpf_get_current_task_btf() ||
	    task_address_space(task) != task_address_space(bpf_get_current_task_btf()))
		address_space_forget(task);
	if (!dormant)
		task_state_begin(state, task, first);
	return state;
}

/*
 * A task is found, created, renamed or moved: does it count from now on? Only a task that is asked for by
 * number needs a state while it has not the right name; the others' descent need not be known. Returns
 * the state if it is new or has awoken.
 */
static struct task_state *task_consider(struct task_struct *task, enum scaler_state first, bool named)
{
	struct task_state *state = task_state_find(task);
	enum scaler_target_begin begin;

	if (state) {
		if (state->dormant != DORMANT_UNTIL_NAMED || !named)
			return NULL;
		task_state_begin(state, task, first);
		return state;
	}
	if (!target_includes(task, &begin))
		return NULL;
	if (begin == SCALER_BEGIN_AT_EXEC)
		return task_state_create(task, first, DORMANT_UNTIL_EXEC);
	if (named)
		return task_state_create(task, first, DORMANT_NOT);
	return target_takes_newcomers() ? NULL : task_state_create(task, first, DORMANT_UNTIL_NAMED);
}

/*
 * The call that a thread is in when it is found. Off its CPU, its registers tell; on a CPU they may be
 * those of its last entry, so that only its next return to user space tells whether it was in one.
 */
static void find_call(struct task_state *state, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long number = call_number(regs);

	if (!records_calls || task->flags & TASK_KERNEL_FLAGS)
		return;
	state->found_on_cpu = state->thread.state == SCALER_RUNNING;
	state->thread.call.id.abi = task_call_abi(task);
	if (state->found_on_cpu || number < 0 || !call_is_recorded(state->thread.call.id.abi, number))
		return;
	state->thread.call.id.number = number;
	state->thread.call.id.descriptor = call_descriptor(task, regs, state->thread.call.id.abi, number);
	state->thread.call.site = scaler_site(0, call_address(regs));
	state->thread.call.enter_ns = state->thread.start_ns;
}

/* Run by the tracer once, before any other: it is no target, and sees processes by its own namespace's numbers. */
SEC("?syscall")
int scaler_learn_tracer(void *context)
{
	tracer_learn();
	return 0;
}

SEC("?iter/task")
int scaler_find_targets(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct task_state *state;

	if (!task)
		return 0;
	/* Its state may change beside us; the first switch seen then puts it right. */
	state = task_consider(task, current_state(task), target_has_name(task, NULL));
	if (!state)
		return 0;
	tasks_found++;
	if (!state->dormant)
		find_call(state, task);
	if (announces_found)
		process_event_send(task, SCALER_PROCESS_BEGAN);
	if (records_blocking && !state->dormant && state->thread.state == SCALER_BLOCKED)
		blocking_found(state, task);
	return 0;
}

/* One that borrows its parent's memory has none of the probes there: they are for one process each. */
static void process_began(struct task_state *state, struct task_struct *child, struct task_struct *parent)
{
	if (child->pid != child->tgid)
		return;
	state->borrows_memory = task_address_space(child) == task_address_space(parent);
	process_event_send(child, SCALER_PROCESS_BEGAN);
}

/* Its first wakeup follows at once, so a new thread waits for a CPU from the beginning. */
SEC("?tp_btf/task_newtask")
int BPF_PROG(scaler_task_new, struct task_struct *child, u64 clone_flags)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	struct task_state *state = task_state_find(parent);

	if (target.follow < (child->pid == child->tgid ? SCALER_FOLLOW_CHILDREN : SCALER_FOLLOW_THREADS))
		return 0;
	if (state && !task_state_find(child)) {
		state = task_state_create(child, SCALER_RUNNABLE, state->dormant);
		if (records_delays && state && !state->dormant)
			blocking_created(state, child);
	} else if (target_takes_newcomers()) {
		state = task_consider(child, SCALER_RUNNABLE, target_has_name(child, NULL));
	} else {
		return 0;
	}
	if (state && !state->dormant)
		process_began(state, child, parent);
	return 0;
}

/*
 * By an execve, or by itself. Loaded if a name is asked for, or if there are no system calls to see the
 * execve that a command begins with.
 */
SEC("?tp_btf/task_rename")
int BPF_PROG(scaler_task_rename, struct task_struct *task, const char *name)
{
	bool by_itself = task == bpf_get_current_task_btf();
	struct task_state *state = task_state_find(task);
	bool is_command = state && state->dormant == DORMANT_UNTIL_EXEC;

	if (is_command)
		state->dormant = DORMANT_UNTIL_NAMED;
	if ((state || target.follow == SCALER_FOLLOW_CHILDREN) && task->pid == task->tgid &&
	    target_has_name(task, name) &&
	    task_consider(task, by_itself ? SCALER_RUNNING : current_state(task), true) && !is_command)
		process_event_send(task, SCALER_PROCESS_BEGAN);
	return 0;
}

/* Moved into a cgroup; its process's other threads are found by the iterator. Loaded for cgroups. */
SEC("?tp_btf/cgroup_attach_task")
int BPF_PROG(scaler_task_moved, struct cgroup *cgroup, const char *path, struct task_struct *task)
{
	bool by_itself = task == bpf_get_current_task_btf();

	if (target.follow == SCALER_FOLLOW_CHILDREN &&
	    task_consider(task, by_itself ? SCALER_RUNNING : current_state(task),
			  target_has_name(task, NULL)))
		process_event_send(task, SCALER_PROCESS_BEGAN);
	return 0;
}

/* Loaded where probes follow. */
SEC("?tp_btf/sched_process_exec")
int BPF_PROG(scaler_process_exec, struct task_struct *task)
{
	struct task_state *state = task_state_find(task);

	if (!state || state->dormant)
		return 0;
	library_close_current(task, state, bpf_ktime_get_ns());
	process_event_send(task, SCALER_PROCESS_EXECUTES);
	state->borrows_memory = false;
	return 0;
}

/* Whether any of the thread's life lies within the recording. */
static __always_inline bool thread_counts(const struct scaler_thread *thread)
{
	return thread->start_ns < window.end_ns && (!thread->end_ns || thread->end_ns > window.start_ns);
}

/* Whether the kernel hands calls of its back to it, before any tracepoint. */
static __always_inline bool task_dispatches(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->thread_info.syscall_work) ||
	    !bpf_core_enum_value_exists(enum syscall_work_bit, SYSCALL_WORK_BIT_SYSCALL_USER_DISPATCH))
		return false;
	return task->thread_info.syscall_work &
	       1UL << bpf_core_enum_value(enum syscall_work_bit, SYSCALL_WORK_BIT_SYSCALL_USER_DISPATCH);
}

/* Nothing of it changes any more, or it is a copy. */
static __always_inline void thread_finish(struct scaler_thread *thread, struct task_struct *task, u64 now_ns)
{
	thread->tgid = process_number(task);
	thread->tid = task_number(task);
	thread->own_tid = task_own_number(task);
	if (task_dispatches(task))
		thread->flags |= SCALER_THREAD_DISPATCHES;
	if (task->flags & TASK_KERNEL_THREAD)
		thread->flags |= SCALER_THREAD_KERNEL;
	thread->cpus = task->nr_cpus_allowed;
	__builtin_memcpy(thread->comm, task->comm, sizeof(thread->comm));
	scaler_thread_finish(thread, &window, now_ns);
}

/* Deleted here and not with the task, or an iterator would still list a zombie as traced. */
SEC("?tp_btf/sched_process_exit")
int BPF_PROG(scaler_task_exit, struct task_struct *task)
{
	struct task_state *state = task_state_find(task);
	struct scaler_thread *thread;
	u64 now_ns;
	u32 serial;

	if (!state)
		return 0;
	/* For good: who reads it from here on finds its storage gone. */
	task_state_change_begin(state);
	thread = &state->thread;
	now_ns = bpf_ktime_get_ns();
	if (now_ns < window.end_ns)
		thread->end_ns = now_ns;
	serial = thread->serial;
	if (!state->dormant && thread_counts(thread)) {
		if (thread->state != SCALER_RUNNING && now_ns < window.end_ns)
			thread_repair(state, task, now_ns);
		library_close_current(task, state, now_ns);
		if (records_blocking)
			blocking_exit(state, task);
		thread_finish(thread, task, now_ns);
		if (bpf_map_update_elem(&threads, &serial, thread, BPF_ANY))
			loss_count(SCALER_LOSS_THREAD_MAP);
		else
			row_count(SCALER_ROWS_THREADS);
	}
	task_state_drop(task);
	__sync_fetch_and_add(&tasks_followed, -1);
	return 0;
}

/* Takes a consistent copy and the time at which it was so. False: it was being changed all the time. */
static __noinline bool thread_copy(struct task_state *state, struct scaler_thread *copy, u64 *now_ns)
{
	if (!state || !copy || !now_ns)
		return false;
	for (int i = 0; i < READ_ATTEMPTS; i++) {
		u64 changes = __sync_fetch_and_add(&state->changes, 0);

		if (changes % 2)
			continue;
		*now_ns = bpf_ktime_get_ns();
		/* Not by assignment: the verifier would follow each word on its own. */
		if (bpf_probe_read_kernel(copy, sizeof(*copy), &state->thread))
			return false;
		if (__sync_fetch_and_add(&state->changes, 0) == changes)
			return true;
	}
	return false;
}

/* Hands out, as an array, the threads that live; at the end and, if they can be, while recording. */
SEC("?iter/task")
int scaler_read_threads(struct bpf_iter__task *ctx)
{
	/* Read once, because the verifier is slow at such pointers. */
	struct seq_file *seq = ctx->meta->seq;
	struct task_struct *task = ctx->task;
	struct scaler_thread thread;
	struct task_state *state;
	u64 now_ns;

	if (!task)
		return 0;
	state = task_state_find(task);
	if (!state || state->dormant)
		return 0;
	if (!thread_copy(state, &thread, &now_ns))
		return ITERATOR_AGAIN;
	open_call_take_place(state, &thread.call);
	if (!thread_counts(&thread))
		return 0;
	thread_finish(&thread, task, now_ns);
	bpf_seq_write(seq, &thread, sizeof(thread));
	return 0;
}
