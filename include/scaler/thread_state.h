/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread as a state machine: running, runnable, blocked, and the time in each. The kernel side
 * drives it at every switch and wakeup, and the tests do; a thread's three times always add up to its
 * life within the window.
 *
 * Only a thread's own switches change its state, and the scheduler orders those; a wakeup, which may
 * come on another CPU beside a switch, writes one word that the next switch-in settles.
 */
#ifndef SCALER_THREAD_STATE_H
#define SCALER_THREAD_STATE_H

#include <linux/types.h>

#include <scaler/call.h>

/* Compiled into every BPF program that uses it. */
#define SCALER_INLINE static inline __attribute__((always_inline))

enum scaler_state {
	SCALER_RUNNING,  /* on a CPU */
	SCALER_RUNNABLE, /* able to run and waiting for a CPU */
	SCALER_BLOCKED,  /* switched out in a sleeping state and not yet woken */
	SCALER_STATE_COUNT,
};

/* The recording's beginning and end; time outside is not accounted. CLOCK_MONOTONIC. */
struct scaler_window {
	__u64 start_ns;
	__u64 end_ns;
};

#define SCALER_COMM_SIZE 16

/* The system call that a thread is in. */
struct scaler_open_call {
	__u64 enter_ns;    /* 0: it is in none, or in one that was not seen to begin */
	__u64 site;        /* where it was issued: component.h */
	__u64 runnable_ns; /* the thread's time in these states when it entered */
	__u64 blocked_ns;
	struct scaler_call_id id;
	__u32 row;     /* the kernel side's own: which near row counts it */
	__u32 stack;   /* its number; SCALER_STACK_NONE: not known */
	__u32 context; /* of the library call that it was made in: library.h */
};

/* One thread. Times are CLOCK_MONOTONIC. */
struct scaler_thread {
	__u32 serial; /* given by the kernel side; never reused within one recording */
	__u32 tgid;
	__u32 tid;
	__u32 state;                 /* enum scaler_state, since since_ns */
	char comm[SCALER_COMM_SIZE]; /* the last one; not trusted, perhaps without a final NUL */
	__u64 start_ns;              /* when it was found or created */
	__u64 end_ns;                /* when it exited; 0: it has not */
	__u64 since_ns;
	__u64 woken_ns; /* the last wakeup since it was switched in; 0: none */
	__u64 time_ns[SCALER_STATE_COUNT];
	__u64 voluntary;      /* switches out that asked to sleep */
	__u64 involuntary;    /* all other switches out */
	__u64 calls;          /* system calls that are in the fold */
	__u32 repaired;       /* switches that were not seen and were placed by the CPU time consumed */
	__u32 unseen_wakeups; /* sleeps whose wakeup was not seen: runnable time counted as blocked */
	__u32 own_tid;        /* as the thread itself knows it, in its own PID namespace */
	__u32 zero;
	struct scaler_open_call call;
};
_Static_assert(sizeof(struct scaler_thread) == 176, "shared layout");

/* What the kernel has counted for a thread since we last looked; places a switch not seen. */
struct scaler_switch_facts {
	__u64 ran_ns; /* CPU time consumed since the last switch-out that was seen */
	int slept;    /* non-zero if it has switched out voluntarily since then */
};

SCALER_INLINE void scaler_thread_account(struct scaler_thread *thread, const struct scaler_window *window,
					 enum scaler_state state, __u64 from_ns, __u64 to_ns)
{
	if (from_ns < window->start_ns)
		from_ns = window->start_ns;
	if (to_ns > window->end_ns)
		to_ns = window->end_ns;
	if (to_ns > from_ns)
		thread->time_ns[state] += to_ns - from_ns;
}

/* Accounts the time since the last change of a thread that is not running. */
SCALER_INLINE void scaler_thread_account_waiting(struct scaler_thread *thread,
						 const struct scaler_window *window, __u64 now_ns)
{
	__u64 woken_ns = thread->woken_ns;

	if (thread->state == SCALER_RUNNABLE) {
		scaler_thread_account(thread, window, SCALER_RUNNABLE, thread->since_ns, now_ns);
		return;
	}
	/*
	 * The wakeup can come before the switch-out that it belongs to: the sleeper is still on its
	 * way out of its CPU. It then never was blocked.
	 */
	if (!woken_ns || woken_ns > now_ns)
		woken_ns = now_ns;
	else if (woken_ns < thread->since_ns)
		woken_ns = thread->since_ns;
	scaler_thread_account(thread, window, SCALER_BLOCKED, thread->since_ns, woken_ns);
	scaler_thread_account(thread, window, SCALER_RUNNABLE, woken_ns, now_ns);
}

SCALER_INLINE void scaler_thread_leave(struct scaler_thread *thread, const struct scaler_window *window,
				       __u64 now_ns, int sleeps)
{
	scaler_thread_account(thread, window, SCALER_RUNNING, thread->since_ns, now_ns);
	thread->state = sleeps ? SCALER_BLOCKED : SCALER_RUNNABLE;
	thread->since_ns = now_ns;
}

SCALER_INLINE void scaler_thread_enter(struct scaler_thread *thread, const struct scaler_window *window,
				       __u64 now_ns)
{
	scaler_thread_account_waiting(thread, window, now_ns);
	if (thread->state == SCALER_BLOCKED && !thread->woken_ns)
		thread->unseen_wakeups++;
	thread->state = SCALER_RUNNING;
	thread->since_ns = now_ns;
	thread->woken_ns = 0;
}

/* Clocks of different CPUs may disagree by a little; a thread's own time never goes back. */
SCALER_INLINE __u64 scaler_thread_clock(const struct scaler_thread *thread, __u64 now_ns)
{
	return now_ns < thread->since_ns ? thread->since_ns : now_ns;
}

/* The thread is found off its CPU, and its switch-out was not seen, though it was recorded as running. */
SCALER_INLINE void scaler_thread_found_waiting(struct scaler_thread *thread,
					       const struct scaler_window *window, __u64 now_ns,
					       const struct scaler_switch_facts *facts)
{
	__u64 out_ns = thread->since_ns + facts->ran_ns;

	scaler_thread_leave(thread, window, out_ns < now_ns ? out_ns : now_ns, facts->slept);
	thread->repaired++;
}

/* The thread is switched in. */
SCALER_INLINE void scaler_thread_switch_in(struct scaler_thread *thread, const struct scaler_window *window,
					   __u64 now_ns, const struct scaler_switch_facts *facts)
{
	now_ns = scaler_thread_clock(thread, now_ns);
	if (thread->state == SCALER_RUNNING)
		scaler_thread_found_waiting(thread, window, now_ns, facts);
	scaler_thread_enter(thread, window, now_ns);
}

/* The thread is found running, in a system call say, and its switch-in was not seen. */
SCALER_INLINE void scaler_thread_found_running(struct scaler_thread *thread,
					       const struct scaler_window *window, __u64 now_ns, __u64 ran_ns)
{
	now_ns = scaler_thread_clock(thread, now_ns);
	if (ran_ns > now_ns - thread->since_ns)
		ran_ns = now_ns - thread->since_ns;
	scaler_thread_enter(thread, window, now_ns - ran_ns);
	thread->repaired++;
}

/* How a thread was switched out. */
struct scaler_switch_kind {
	int voluntary; /* it asked to sleep */
	int sleeps;    /* and does: no signal or wakeup was faster */
};

/* The thread is switched out, to sleep or because another is to run. */
SCALER_INLINE void scaler_thread_switch_out(struct scaler_thread *thread, const struct scaler_window *window,
					    __u64 now_ns, const struct scaler_switch_kind *kind,
					    const struct scaler_switch_facts *facts)
{
	now_ns = scaler_thread_clock(thread, now_ns);
	if (thread->state != SCALER_RUNNING)
		scaler_thread_found_running(thread, window, now_ns, facts->ran_ns);
	if (now_ns >= window->start_ns && now_ns < window->end_ns) {
		thread->voluntary += kind->voluntary != 0;
		thread->involuntary += kind->voluntary == 0;
	}
	scaler_thread_leave(thread, window, now_ns, kind->sleeps);
}

/*
 * Accounts the interval that is open when the thread exits, or when it is read: start_ns and since_ns
 * become the ends of its life within the window.
 */
SCALER_INLINE void scaler_thread_finish(struct scaler_thread *thread, const struct scaler_window *window,
					__u64 now_ns)
{
	now_ns = scaler_thread_clock(thread, now_ns);
	if (thread->state == SCALER_RUNNING)
		scaler_thread_account(thread, window, SCALER_RUNNING, thread->since_ns, now_ns);
	else
		scaler_thread_account_waiting(thread, window, now_ns);
	thread->since_ns = now_ns < window->end_ns ? now_ns : window->end_ns;
	if (thread->start_ns < window->start_ns)
		thread->start_ns = window->start_ns;
}

#endif
