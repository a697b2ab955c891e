// SPDX-License-Identifier: GPL-2.0-only
/* The thread's state machine over synthetic switches and wakeups, as the kernel side drives it. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>

#include <scaler/thread_state.h>

static const struct scaler_window all = { .start_ns = 0, .end_ns = 1000000 };
static const struct scaler_switch_facts no_facts;
static const struct scaler_switch_kind sleeping = { 1, 1 }, preempted = { 0, 0 };

static void expect_times(const struct scaler_thread *thread, uint64_t running, uint64_t runnable,
			 uint64_t blocked)
{
	cr_expect_eq(thread->time_ns[SCALER_RUNNING], running, "running %llu",
		     thread->time_ns[SCALER_RUNNING]);
	cr_expect_eq(thread->time_ns[SCALER_RUNNABLE], runnable, "runnable %llu",
		     thread->time_ns[SCALER_RUNNABLE]);
	cr_expect_eq(thread->time_ns[SCALER_BLOCKED], blocked, "blocked %llu",
		     thread->time_ns[SCALER_BLOCKED]);
}

static struct scaler_thread running_since(uint64_t time_ns)
{
	return (struct scaler_thread){ .state = SCALER_RUNNING, .start_ns = time_ns, .since_ns = time_ns };
}

Test(thread_state, sleeps_and_is_preempted)
{
	struct scaler_thread thread = running_since(100);

	scaler_thread_switch_out(&thread, &all, 150, &sleeping, &no_facts);
	thread.woken_ns = 250;
	scaler_thread_switch_in(&thread, &all, 280, &no_facts);
	scaler_thread_switch_out(&thread, &all, 300, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 307, &no_facts);
	scaler_thread_finish(&thread, &all, 310);
	expect_times(&thread, 50 + 20 + 3, 30 + 7, 100);
	cr_expect_eq(thread.voluntary, 1);
	cr_expect_eq(thread.involuntary, 1);
	cr_expect_eq(thread.repaired, 0);
	cr_expect_eq(thread.unseen_wakeups, 0);
}

/* The waker was faster than the sleeper's way out of its CPU. */
Test(thread_state, wakeup_before_the_switch_out)
{
	struct scaler_thread thread = running_since(0);

	thread.woken_ns = 95;
	scaler_thread_switch_out(&thread, &all, 100, &sleeping, &no_facts);
	scaler_thread_switch_in(&thread, &all, 130, &no_facts);
	expect_times(&thread, 100, 30, 0);
	cr_expect_eq(thread.unseen_wakeups, 0);
}

/* It was woken while it ran and did not sleep then; the next sleep has its own wakeup. */
Test(thread_state, stale_wakeup)
{
	struct scaler_thread thread = running_since(0);

	thread.woken_ns = 50;
	scaler_thread_switch_out(&thread, &all, 100, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 110, &no_facts);
	scaler_thread_switch_out(&thread, &all, 120, &sleeping, &no_facts);
	thread.woken_ns = 170;
	scaler_thread_switch_in(&thread, &all, 175, &no_facts);
	expect_times(&thread, 110, 10 + 5, 50);
}

Test(thread_state, signal_was_faster_than_the_sleep)
{
	static const struct scaler_switch_kind asked_only = { 1, 0 };
	struct scaler_thread thread = running_since(0);

	scaler_thread_switch_out(&thread, &all, 100, &asked_only, &no_facts);
	scaler_thread_switch_in(&thread, &all, 140, &no_facts);
	expect_times(&thread, 100, 40, 0);
	cr_expect_eq(thread.voluntary, 1);
}

Test(thread_state, wakeup_not_seen_is_counted)
{
	struct scaler_thread thread = running_since(0);

	scaler_thread_switch_out(&thread, &all, 100, &sleeping, &no_facts);
	scaler_thread_switch_in(&thread, &all, 140, &no_facts);
	expect_times(&thread, 100, 0, 40);
	cr_expect_eq(thread.unseen_wakeups, 1);
}

/* The quota is the cgroup's: a thread that became able to run later was kept for less. */
Test(thread_state, quota)
{
	struct scaler_thread thread = running_since(0);
	const struct scaler_switch_facts kept = { .kept_ns = 30 };

	scaler_thread_switch_out(&thread, &all, 100, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 140, &kept);
	cr_expect_eq(thread.quota_ns, 30);
	scaler_thread_switch_out(&thread, &all, 200, &sleeping, &no_facts);
	thread.woken_ns = 250;
	scaler_thread_switch_in(&thread, &all, 260, &kept);
	cr_expect_eq(thread.quota_ns, 30 + 10);
	expect_times(&thread, 160, 50, 50);
	/* What never waited for a CPU was not kept from it. */
	scaler_thread_switch_out(&thread, &all, 300, &sleeping, &no_facts);
	scaler_thread_switch_in(&thread, &all, 400, &kept);
	cr_expect_eq(thread.quota_ns, 30 + 10);
}

/* Switched out without having been seen to come in: it ran for the CPU time that it has used. */
Test(thread_state, switch_in_not_seen)
{
	struct scaler_thread thread = running_since(0);
	const struct scaler_switch_facts facts = { .ran_ns = 30 };

	scaler_thread_switch_out(&thread, &all, 100, &sleeping, &no_facts);
	thread.woken_ns = 150;
	scaler_thread_switch_out(&thread, &all, 200, &preempted, &facts);
	expect_times(&thread, 100 + 30, 20, 50);
	cr_expect_eq(thread.repaired, 1);
	cr_expect_eq(thread.state, SCALER_RUNNABLE);
}

/* The same, but a system call shows it first; what follows is as if the switch had been seen. */
Test(thread_state, found_running)
{
	struct scaler_thread thread = running_since(0);

	scaler_thread_switch_out(&thread, &all, 100, &sleeping, &no_facts);
	thread.woken_ns = 150;
	scaler_thread_found_running(&thread, &all, 200, 30);
	expect_times(&thread, 100, 20, 50);
	cr_expect_eq(thread.state, SCALER_RUNNING);
	cr_expect_eq(thread.repaired, 1);
	scaler_thread_switch_out(&thread, &all, 210, &preempted, &no_facts);
	expect_times(&thread, 100 + 40, 20, 50);
	/* It cannot have run for longer than it was away. */
	scaler_thread_found_running(&thread, &all, 215, 1000);
	expect_times(&thread, 100 + 40, 20, 50);
}

Test(thread_state, switch_out_not_seen)
{
	struct scaler_thread thread = running_since(0);
	const struct scaler_switch_facts slept = { .ran_ns = 40, .slept = 1 };
	const struct scaler_switch_facts waited = { .ran_ns = 10 };

	thread.woken_ns = 90;
	scaler_thread_switch_in(&thread, &all, 100, &slept);
	expect_times(&thread, 40, 10, 50);
	scaler_thread_switch_in(&thread, &all, 200, &waited);
	expect_times(&thread, 50, 100, 50);
	cr_expect_eq(thread.repaired, 2);
}

Test(thread_state, only_the_window_counts)
{
	const struct scaler_window window = { .start_ns = 200, .end_ns = 500 };
	struct scaler_thread thread = running_since(100);

	scaler_thread_switch_out(&thread, &window, 150, &sleeping, &no_facts);
	thread.woken_ns = 300;
	scaler_thread_switch_in(&thread, &window, 310, &no_facts);
	scaler_thread_switch_out(&thread, &window, 600, &sleeping, &no_facts);
	thread.woken_ns = 700;
	scaler_thread_switch_in(&thread, &window, 800, &no_facts);
	expect_times(&thread, 190, 10, 100);
	cr_expect_eq(thread.voluntary, 0);
}

static void expect_delay(const struct scaler_span *delay, uint64_t start_ns, uint64_t duration_ns)
{
	cr_expect_eq(delay->start_ns, start_ns, "start %llu", delay->start_ns);
	cr_expect_eq(delay->duration_ns, duration_ns, "duration %llu", delay->duration_ns);
}

/* After a sleep and after a preemption; one whose begin was not seen is none. */
Test(thread_state, delays_are_counted)
{
	struct scaler_thread thread = running_since(0);
	struct scaler_span longest;

	scaler_thread_switch_out(&thread, &all, 100, &sleeping, &no_facts);
	thread.woken_ns = 150;
	scaler_thread_switch_in(&thread, &all, 160, &no_facts);
	scaler_thread_switch_out(&thread, &all, 200, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 230, &no_facts);
	scaler_thread_switch_out(&thread, &all, 300, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 300, &no_facts);
	scaler_thread_switch_out(&thread, &all, 400, &sleeping, &no_facts);
	scaler_thread_switch_in(&thread, &all, 900, &no_facts);
	scaler_thread_finish(&thread, &all, 1000);
	cr_expect_eq(thread.delays, 3);
	longest = scaler_thread_longest_delay(&thread, 0);
	expect_delay(&longest, 200, 30);
	expect_delay(&thread.open_delay, 0, 0);
}

Test(thread_state, delay_that_is_not_over)
{
	struct scaler_thread thread = running_since(0);
	struct scaler_span longest;

	scaler_thread_switch_out(&thread, &all, 100, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &all, 110, &no_facts);
	scaler_thread_switch_out(&thread, &all, 200, &sleeping, &no_facts);
	thread.woken_ns = 250;
	scaler_thread_finish(&thread, &all, 300);
	cr_expect_eq(thread.delays, 1);
	longest = scaler_thread_longest_delay(&thread, 0);
	expect_delay(&longest, 250, 50);
	expect_delay(&thread.open_delay, 250, 50);
}

Test(thread_state, delays_within_the_window)
{
	const struct scaler_window window = { .start_ns = 200, .end_ns = 500 };
	struct scaler_thread thread = running_since(0);
	struct scaler_span longest;

	scaler_thread_switch_out(&thread, &window, 100, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 190, &no_facts);
	scaler_thread_switch_out(&thread, &window, 195, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 220, &no_facts);
	scaler_thread_switch_out(&thread, &window, 490, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 600, &no_facts);
	scaler_thread_finish(&thread, &window, 700);
	cr_expect_eq(thread.delays, 1);
	expect_delay(&thread.longest_delay, 200, 20);
	expect_delay(&thread.open_delay, 490, 10);
	longest = scaler_thread_longest_delay(&thread, 0);
	expect_delay(&longest, 200, 20);
}

/* A reading has its own longest, also if the thread has gone on before its turn comes to be read. */
Test(thread_state, longest_delay_of_each_reading)
{
	struct scaler_window window = all;
	struct scaler_thread thread = running_since(0);
	struct scaler_span longest;

	scaler_thread_switch_out(&thread, &window, 100, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 190, &no_facts);
	window.reading = 1;
	longest = scaler_thread_longest_delay(&thread, 0);
	expect_delay(&longest, 100, 90);
	scaler_thread_switch_out(&thread, &window, 200, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 210, &no_facts);
	longest = scaler_thread_longest_delay(&thread, 0);
	expect_delay(&longest, 100, 90);
	longest = scaler_thread_longest_delay(&thread, 1);
	expect_delay(&longest, 200, 10);
	longest = scaler_thread_longest_delay(&thread, 2);
	expect_delay(&longest, 0, 0);
	/* Nothing happened for a whole interval. */
	window.reading = 3;
	scaler_thread_switch_out(&thread, &window, 300, &preempted, &no_facts);
	scaler_thread_switch_in(&thread, &window, 305, &no_facts);
	longest = scaler_thread_longest_delay(&thread, 2);
	expect_delay(&longest, 0, 0);
	longest = scaler_thread_longest_delay(&thread, 3);
	expect_delay(&longest, 300, 5);
}

/* Whatever comes in whatever order, and with clocks that step back: the times add up to the life. */
Test(thread_state, adds_up_whatever_happens)
{
	srand(1);
	for (int round = 0; round < 2000; round++) {
		const struct scaler_window window = { .start_ns = (uint64_t)(rand() % 500),
						      .end_ns = (uint64_t)(500 + rand() % 500) };
		struct scaler_thread thread = running_since((uint64_t)(rand() % 100));
		uint64_t now_ns = thread.start_ns, begin_ns, end_ns, sum = 0;
		struct scaler_span longest;

		for (int event = 0; event < 60; event++) {
			const struct scaler_switch_facts facts = { (uint64_t)(rand() % 60), rand() % 2,
								   (uint64_t)(rand() % 20) };
			const struct scaler_switch_kind kind = { rand() % 2, rand() % 2 };
			uint64_t seen_ns = now_ns - (uint64_t)(now_ns > 5 ? rand() % 5 : 0);

			now_ns += (uint64_t)(rand() % 40);
			if (rand() % 3 == 0)
				thread.woken_ns = seen_ns;
			else if (rand() % 2)
				scaler_thread_switch_in(&thread, &window, seen_ns, &facts);
			else
				scaler_thread_switch_out(&thread, &window, seen_ns, &kind, &facts);
		}
		scaler_thread_finish(&thread, &window, now_ns);
		begin_ns = thread.start_ns; /* as finish() has it */
		end_ns = now_ns < window.end_ns ? now_ns : window.end_ns;
		cr_assert_geq(begin_ns, window.start_ns);
		cr_assert_leq(thread.since_ns, window.end_ns);
		for (int state = 0; state < SCALER_STATE_COUNT; state++)
			sum += thread.time_ns[state];
		cr_assert_eq(sum, end_ns > begin_ns ? end_ns - begin_ns : 0, "round %d", round);
		longest = scaler_thread_longest_delay(&thread, 0);
		cr_assert_leq(longest.duration_ns, thread.time_ns[SCALER_RUNNABLE]);
		cr_assert_geq(longest.duration_ns * (thread.delays + 1), thread.time_ns[SCALER_RUNNABLE]);
	}
}
