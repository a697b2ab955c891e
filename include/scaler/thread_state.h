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

#include <scaler/thread.h>

/* Compiled into every BPF program that uses it. */
#define SCALER_INLINE static inline __attribute__((always_inline))

/* What the kernel has counted for a thread since we last looked; places a switch not seen. */
struct scaler_switch_facts {
	__u64 ran_ns;  /* CPU time consumed since the last switch-out that was seen */
	int slept;     /* non-zero if it has switched out voluntarily since then */
	__u64 kept_ns; /* of a switch-in: how long its cgroup had no quota since the thread was able to run */
};

/* Returns what of it lies within the window. */
SCALER_INLINE struct scaler_span scaler_thread_account(struct scaler_thread *thread,
						       const struct scaler_window *window,
						       enum scaler_state state, __u64 from_ns, __u64 to_ns)
{
	struct scaler_span within = { 0 };

	if (from_ns < window->start_ns)
		from_ns = window->start_ns;
	if (to_ns > window->end_ns)
		to_ns = window->end_ns;
	if (to_ns > from_ns) {
		within.start_ns = from_ns;
		within.duration_ns = to_ns - from_ns;
		thread->time_ns[state] += within.duration_ns;
	}
	return within;
}

/*
 * Accounts the time since the last change of a thread that is not running. Returns how it waits for a CPU, within the
 * window; duration_ns 0: not at all.
 */
SCALER_INLINE struct scaler_span
scaler_thread_account_waiting(struct scaler_thread *thread, const struct scaler_window *window, __u64 now_ns)
{
	__u64 woken_ns = thread->woken_ns;

	if (thread->state == SCALER_RUNNABLE)
		return scaler_thread_account(thread, window, SCALER_RUNNABLE, thread->since_ns, now_ns);
	/*
	 * The wakeup can come before the switch-out that it belongs to: the sleeper is still on its
	 * way out of its CPU. It then never was blocked.
	 */
	if (!woken_ns || woken_ns > now_ns)
		woken_ns = now_ns;
	else if (woken_ns < thread->since_ns)
		woken_ns = thread->since_ns;
	scaler_thread_account(thread, window, SCALER_BLOCKED, thread->since_ns, woken_ns);
	return scaler_thread_account(thread, window, SCALER_RUNNABLE, woken_ns, now_ns);
}

/* A wait for a CPU is over. The clock may not have ticked, so that a duration of 0 counts. */
SCALER_INLINE void scaler_thread_count_delay(struct scaler_thread *thread, const struct scaler_window *window,
					     const struct scaler_span *delay, __u64 now_ns)
{
	const struct scaler_span none = { 0 };

	if (now_ns >= window->end_ns && delay->duration_ns)
		thread->open_delay = *delay;
	if (now_ns < window->start_ns || now_ns >= window->end_ns)
		return;
	thread->delays++;
	if (thread->delay_reading != window->reading) {
		thread->longest_before =
			thread->delay_reading + 1 == window->reading ? thread->longest_delay : none;
		thread->longest_delay = none;
		thread->delay_reading = window->reading;
	}
	if (delay->duration_ns > thread->longest_delay.duration_ns)
		thread->longest_delay = *delay;
}

SCALER_INLINE void scaler_thread_leave(struct scaler_thread *thread, const struct scaler_window *window,
				       __u64 now_ns, int sleeps)
{
	scaler_thread_account(thread, window, SCALER_RUNNING, thread->since_ns, now_ns);
	thread->state = sleeps ? SCALER_BLOCKED : SCALER_RUNNABLE;
	thread->since_ns = now_ns;
}

/* Of a delay that is over. What of it lay outside of the window is not known to be the one or the other. */
SCALER_INLINE void scaler_thread_add_quota(struct scaler_thread *thread, const struct scaler_span *delay,
					   __u64 kept_ns)
{
	thread->quota_ns += kept_ns < delay->duration_ns ? kept_ns : delay->duration_ns;
}

SCALER_INLINE void scaler_thread_enter(struct scaler_thread *thread, const struct scaler_window *window,
				       __u64 now_ns, __u64 kept_ns)
{
	const struct scaler_span delay = scaler_thread_account_waiting(thread, window, now_ns);

	if (thread->state == SCALER_BLOCKED && !thread->woken_ns)
		thread->unseen_wakeups++;
	else
		scaler_thread_count_delay(thread, window, &delay, now_ns);
	scaler_thread_add_quota(thread, &delay, kept_ns);
	thread->state = SCALER_RUNNING;
	thread->since_ns = now_ns;
	thread->woken_ns = 0;
}

/* Clocks of different CPUs may disagree by a little; a thread's own time never goes back. */
SCALER_INLINE __u64 scaler_thread_clock(const struct scaler_thread *thread, __u64 now_ns)
{
	return now_ns < thread->since_ns ? thread->since_ns : now_ns;
}

/* The thread is found off its CPU, and its switch-out was missed, though it was recorded as running. */
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
	scaler_thread_enter(thread, window, now_ns, facts->kept_ns);
}

/* The thread is found running, in a system call say, and its switch-in was missed. */
SCALER_INLINE void scaler_thread_found_running(struct scaler_thread *thread,
					       const struct scaler_window *window, __u64 now_ns, __u64 ran_ns)
{
	now_ns = scaler_thread_clock(thread, now_ns);
	if (ran_ns > now_ns - thread->since_ns)
		ran_ns = now_ns - thread->since_ns;
	scaler_thread_enter(thread, window, now_ns - ran_ns, 0);
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
	struct scaler_span open_delay;

	now_ns = scaler_thread_clock(thread, now_ns);
	if (thread->state == SCALER_RUNNING) {
		scaler_thread_account(thread, window, SCALER_RUNNING, thread->since_ns, now_ns);
	} else {
		open_delay = scaler_thread_account_waiting(thread, window, now_ns);
		if (open_delay.duration_ns)
			thread->open_delay = open_delay;
	}
	thread->since_ns = now_ns < window->end_ns ? now_ns : window->end_ns;
	if (thread->start_ns < window->start_ns)
		thread->start_ns = window->start_ns;
}

/*
 * The longest wait for a CPU that the reading of that number has of a thread that is finished, be it over or not;
 * duration_ns 0: there is none.
 */
SCALER_INLINE struct scaler_span scaler_thread_longest_delay(const struct scaler_thread *thread,
							     __u32 reading)
{
	struct scaler_span longest = thread->open_delay, ended = { 0 };

	if (thread->delay_reading == reading)
		ended = thread->longest_delay;
	else if (thread->delay_reading == reading + 1)
		ended = thread->longest_before;
	return ended.duration_ns > longest.duration_ns ? ended : longest;
}

#endif
