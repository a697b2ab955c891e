// SPDX-License-Identifier: GPL-2.0-only
/* When processes are looked at, by a clock of the test's own. */
#include <criterion/criterion.h>

#include "plan/follow_queue.h"

#define MS 1000000ULL

/* What is taken at that time: a PID, or 0. */
static pid_t take(struct follow_queue *queue, uint64_t now_ns)
{
	struct follow_entry entry;

	return follow_queue_take(queue, now_ns, &entry) ? entry.pid : 0;
}

Test(follow_queue, nothing)
{
	struct follow_queue queue = { 0 };

	cr_expect_eq(follow_queue_next_ns(&queue, MS), 0);
	cr_expect_eq(take(&queue, MS), 0);
	follow_queue_clear(&queue);
}

Test(follow_queue, waits_until_it_is_quiet)
{
	struct follow_queue queue = { 0 };
	struct follow_entry entry;

	cr_assert_eq(follow_queue_add(&queue, 7, true, 100 * MS), 0);
	cr_assert_eq(follow_queue_add(&queue, 7, false, 104 * MS), 0);
	cr_expect_eq(follow_queue_next_ns(&queue, 104 * MS), 114 * MS);
	cr_expect_eq(take(&queue, 113 * MS), 0);
	cr_assert(follow_queue_take(&queue, 114 * MS, &entry));
	cr_expect_eq(entry.pid, 7);
	cr_expect_eq(entry.first_ns, 100 * MS);
	cr_expect(entry.began);
	cr_expect_eq(follow_queue_next_ns(&queue, 114 * MS), 0);
	follow_queue_clear(&queue);
}

Test(follow_queue, but_not_forever)
{
	struct follow_queue queue = { 0 };

	for (uint64_t now_ns = 100 * MS; now_ns < 150 * MS; now_ns += MS) {
		cr_assert_eq(follow_queue_add(&queue, 7, false, now_ns), 0);
		cr_expect_eq(take(&queue, now_ns), 0);
	}
	cr_assert_eq(follow_queue_add(&queue, 8, false, 149 * MS), 0);
	cr_expect_eq(follow_queue_next_ns(&queue, 149 * MS), 150 * MS);
	cr_expect_eq(take(&queue, 150 * MS), 7);
	cr_expect_eq(take(&queue, 150 * MS), 0);
	cr_expect_eq(take(&queue, 159 * MS), 8);
	follow_queue_clear(&queue);
}

Test(follow_queue, in_their_order)
{
	struct follow_queue queue = { 0 };

	for (pid_t pid = 1; pid <= 20; pid++)
		cr_assert_eq(follow_queue_add(&queue, pid, true, (100 + (uint64_t)pid) * MS), 0);
	for (pid_t pid = 1; pid <= 20; pid++)
		cr_expect_eq(take(&queue, 200 * MS), pid);
	follow_queue_clear(&queue);
}

/* As many as come, each taking 20 ms: at first at once, and in the long run so that they take an eighth of the time. */
Test(follow_queue, within_a_share)
{
	struct follow_queue queue = { 0 };
	uint64_t spent_ns = 0, now_ns = 1000 * MS;
	size_t taken_at_once = 0;
	pid_t pid = 1;

	for (; now_ns < 21000 * MS; now_ns += MS) {
		cr_assert_eq(follow_queue_add(&queue, pid++, true, now_ns), 0);
		while (take(&queue, now_ns)) {
			follow_queue_spend(&queue, 20 * MS);
			spent_ns += 20 * MS;
			now_ns += 20 * MS;
			taken_at_once += now_ns < 1600 * MS;
		}
	}
	cr_expect_geq(taken_at_once, 20);
	cr_expect_geq(spent_ns, 20000 * MS / FOLLOW_SHARE);
	cr_expect_leq(spent_ns, 20000 * MS / FOLLOW_SHARE + FOLLOW_SAVED_NS + 40 * MS);
	follow_queue_clear(&queue);
}
