// SPDX-License-Identifier: GPL-2.0-only
/* Made-up schedules: threads that run, block, and wake each other, as a seed decides. */
#include "schedule.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum task_state { RUNNING, BLOCKED, RUNNABLE, NOT_CREATED };

struct task {
	enum task_state state;
	struct scaler_blocking_interval interval; /* that it is in */
	uint64_t sent_ns;                         /* what is to wake it is under way */
	uint32_t sender;
	uint32_t told; /* so many intervals */
};

struct schedule {
	unsigned int seed;
	uint64_t now_ns;
	struct task tasks[SCHEDULE_TASKS + 1];
	struct blocking_intervals *intervals;
};

static unsigned int choose(struct schedule *schedule, unsigned int count)
{
	return (unsigned int)rand_r(&schedule->seed) % count;
}

/* Rarely it gets lost. */
static void tell(struct schedule *schedule, struct task *task)
{
	task->interval.number = ++task->told;
	if (choose(schedule, 100))
		cr_assert_eq(blocking_intervals_add(schedule->intervals, &task->interval, NULL), 0);
}

static struct task *leave(struct schedule *schedule, uint32_t number, enum task_state state)
{
	struct task *task = &schedule->tasks[number];

	task->state = state;
	task->sent_ns = 0;
	task->interval = (struct scaler_blocking_interval){
		.where = { .task = number, .site = 1 + choose(schedule, 3) },
		.start_ns = schedule->now_ns,
		.names = { .comm = "task" },
	};
	task->interval.names.comm[4] = (char)('0' + number % 4);
	return task;
}

static void put_off(struct schedule *schedule, uint32_t number)
{
	struct task *task = leave(schedule, number, RUNNABLE);

	task->interval.flags = SCALER_BLOCKING_PUT_OFF;
	task->interval.woken_ns = schedule->now_ns;
}

static struct scaler_waker by_task(struct schedule *schedule, uint32_t waker)
{
	return (struct scaler_waker){ .context = SCALER_WAKER_TASK,
				      .where = { .task = waker, .site = 10 + choose(schedule, 3) } };
}

static void create(struct schedule *schedule, uint32_t number, uint32_t creator)
{
	struct task *task = leave(schedule, number, RUNNABLE);

	task->interval.flags = SCALER_BLOCKING_CREATED;
	task->interval.woken_ns = schedule->now_ns;
	task->interval.waker = by_task(schedule, creator);
}

/* Of what is under way to it: a packet, or work that a thread does which is traced, or is not. */
static struct scaler_waker by_way(struct schedule *schedule, const struct task *task)
{
	struct scaler_waker waker = { .context = SCALER_WAKER_SOFTIRQ,
				      .vector = 3,
				      .sent_ns = task->sent_ns,
				      .where = { .task = task->sender, .site = 20 } };

	if (choose(schedule, 2))
		return waker;
	waker.context = SCALER_WAKER_WORKQUEUE;
	waker.queued_in = SCALER_WAKER_TASK;
	waker.vector = SCALER_VECTOR_NONE;
	waker.where.kernel = 30;
	for (uint32_t worker = 1; worker <= SCHEDULE_TASKS && !waker.worker; worker++) {
		if (schedule->tasks[worker].state == RUNNING)
			waker.worker = choose(schedule, 3) ? worker : 0;
	}
	return waker;
}

/* By itself, or by a task that runs. */
static void wake(struct schedule *schedule, struct task *task, uint32_t waker)
{
	static const struct scaler_waker others[] = {
		{ .context = SCALER_WAKER_HARDIRQ, .vector = SCALER_VECTOR_NONE, .is_timer = 1 },
		{ .context = SCALER_WAKER_SOFTIRQ, .vector = 4 },
		{ .context = SCALER_WAKER_SOFTIRQ, .vector = 3 },
		{ .context = SCALER_WAKER_TASK, .names = { 1, 1, "outside" } },
		{ .context = SCALER_WAKER_NMI },
		{ .context = SCALER_WAKER_UNKNOWN },
	};

	task->state = RUNNABLE;
	task->interval.woken_ns = schedule->now_ns;
	if (waker)
		task->interval.waker = by_task(schedule, waker);
	else
		task->interval.waker = others[choose(schedule, sizeof(others) / sizeof(others[0]))];
	if (task->sent_ns && !waker)
		task->interval.waker = by_way(schedule, task);
}

static void go_on(struct schedule *schedule, struct task *task)
{
	task->state = RUNNING;
	task->interval.end_ns = schedule->now_ns;
	task->interval.quota_ns = choose(schedule, 3) ? 0 : choose(schedule, 20);
	/* Rarely no wakeup is seen. */
	if (!(task->interval.flags & SCALER_BLOCKING_NOT) && !choose(schedule, 20)) {
		task->interval.woken_ns = 0;
		task->interval.waker = (struct scaler_waker){ 0 };
	}
	tell(schedule, task);
}

static void run(struct schedule *schedule, uint32_t number)
{
	uint32_t other = 1 + choose(schedule, SCHEDULE_TASKS);
	struct task *task = &schedule->tasks[other];

	if (task->state == NOT_CREATED)
		create(schedule, other, number);
	if (other == number || task->state != BLOCKED)
		return;
	if (choose(schedule, 4)) {
		wake(schedule, task, number);
		return;
	}
	task->sent_ns = schedule->now_ns;
	task->sender = number;
}

static void step(struct schedule *schedule)
{
	uint32_t number = 1 + choose(schedule, SCHEDULE_TASKS);
	struct task *task = &schedule->tasks[number];

	schedule->now_ns += choose(schedule, 4);
	switch (task->state) {
	case RUNNING:
		/* It has run for a while before it blocks. */
		if (choose(schedule, 3) || task->interval.end_ns == schedule->now_ns)
			run(schedule, number);
		else if (choose(schedule, 3))
			leave(schedule, number, BLOCKED);
		else
			put_off(schedule, number);
		break;
	case BLOCKED:
		if (!choose(schedule, 6))
			wake(schedule, task, 0);
		break;
	case RUNNABLE:
		go_on(schedule, task);
		break;
	case NOT_CREATED:
		break;
	}
}

void schedule_make_until(unsigned int seed, uint64_t end_ns, struct blocking_intervals *intervals)
{
	struct schedule schedule = { .seed = seed, .now_ns = 1, .intervals = intervals };

	/* Every third one is asleep when it is found. */
	for (uint32_t number = 3; number <= SCHEDULE_TASKS; number += 3) {
		leave(&schedule, number, BLOCKED)->interval.flags = SCALER_BLOCKING_FOUND;
	}
	schedule.tasks[SCHEDULE_CREATED].state = NOT_CREATED;
	while (schedule.now_ns < end_ns)
		step(&schedule);
	for (uint32_t number = 1; number <= SCHEDULE_TASKS; number++) {
		if (schedule.tasks[number].state == BLOCKED || schedule.tasks[number].state == RUNNABLE)
			tell(&schedule, &schedule.tasks[number]);
	}
}

void schedule_make(unsigned int seed, struct blocking_intervals *intervals)
{
	schedule_make_until(seed, SCHEDULE_END, intervals);
}

void schedule_shuffle(unsigned int seed, struct blocking_intervals *intervals)
{
	for (size_t i = intervals->count; i > 1; i--) {
		size_t other = (size_t)rand_r(&seed) % i;
		struct scaler_blocking_interval swapped = intervals->items[i - 1];

		intervals->items[i - 1] = intervals->items[other];
		intervals->items[other] = swapped;
	}
}

uint64_t schedule_known_since(uint32_t task)
{
	return task % 2 ? 0 : 1;
}

void schedule_history(const struct blocking_intervals *intervals, struct wait_history *history)
{
	for (uint32_t task = 1; task <= SCHEDULE_TASKS; task++)
		cr_assert_eq(wait_history_add_thread(history, task, (char[SCALER_COMM_SIZE]){ "task" },
						     schedule_known_since(task)),
			     0);
	for (size_t i = 0; i < intervals->count; i++)
		cr_assert(wait_history_add(history, &intervals->items[i], NULL));
}
