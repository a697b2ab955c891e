// SPDX-License-Identifier: GPL-2.0-only
/* Bottlenecks of waits that are known. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bottleneck_report.h"

#define MS 1000000ULL

struct fixture {
	struct wait_graph graph;
	struct wait_history history;
	struct chain_tree tree;
	struct bottleneck_report report;
};

static const char comms[][SCALER_COMM_SIZE] = { "", "client", "pool-1", "pool-22", "disk" };

/* In ms; woken by another task, or by a timer if that is 0. */
static void add(struct fixture *fixture, uint32_t task, uint64_t start, uint64_t woken, uint64_t end,
		uint32_t waker)
{
	struct scaler_blocking_interval interval = {
		.where = { .task = task },
		.start_ns = start * MS,
		.woken_ns = woken * MS,
		.end_ns = end * MS,
		.waker = { .context = waker ? SCALER_WAKER_TASK : SCALER_WAKER_HARDIRQ,
			   .is_timer = !waker,
			   .where = { .task = waker } },
	};

	memcpy(interval.names.comm, comms[task], SCALER_COMM_SIZE);
	memcpy(interval.waker.names.comm, comms[waker], SCALER_COMM_SIZE);
	cr_assert(wait_history_add(&fixture->history, &interval, NULL));
}

static void explain(struct fixture *fixture, uint32_t task)
{
	const struct wait_history *history = &fixture->history;
	const struct history_thread *thread = wait_history_find(history, task);

	for (size_t i = 0; thread && i < thread->count; i++)
		cr_assert_eq(chain_tree_add(&fixture->tree, history, task, &thread->items[i],
					    thread->items[i].start_ns, thread->items[i].woken_ns),
			     0);
}

static size_t find_group(const struct bottleneck_report *report, enum chain_kind kind, const char *comm)
{
	for (size_t i = 0; i < report->group_count; i++) {
		if (report->groups[i].kind == kind && !strcmp(report->groups[i].name, comm))
			return i;
	}
	cr_assert_fail("no group '%s' of kind %d", comm, kind);
	return 0;
}

/* The sums of all rows from the one group to the other. */
static void expect_edge(const struct bottleneck_report *report, size_t waiter, size_t ender, uint64_t weight,
			uint64_t own)
{
	uint64_t weight_ns = 0, own_ns = 0;

	for (size_t i = 0; i < report->row_count; i++) {
		if (report->rows[i].waiter == waiter && report->rows[i].ender == ender) {
			weight_ns += report->rows[i].weight_ns;
			own_ns += report->rows[i].own_ns;
		}
	}
	cr_expect_eq(weight_ns, weight * MS, "%zu to %zu: weight %lu", waiter, ender, weight_ns);
	cr_expect_eq(own_ns, own * MS, "%zu to %zu: own %lu", waiter, ender, own_ns);
}

static void begin(struct fixture *fixture)
{
	*fixture = (struct fixture){ 0 };
	for (uint32_t task = 1; task <= 4; task++)
		cr_assert_eq(wait_history_add_thread(&fixture->history, task, comms[task], 1), 0);
	/* The client waits for one of the pool, which waits for another, which waits for the last, which sleeps. */
	add(fixture, 4, 20, 50, 50, 0);
	add(fixture, 3, 15, 60, 65, 4);
	add(fixture, 2, 12, 70, 70, 3);
	add(fixture, 1, 10, 80, 80, 2);
}

static void finish(struct fixture *fixture)
{
	struct wait_graph *graph = &fixture->graph;

	graph->history = &fixture->history;
	graph->names = calloc(fixture->history.shapes.count, sizeof(*graph->names));
	cr_assert(graph->names);
	for (uint32_t task = 1; task <= 4; task++)
		explain(fixture, task);
	cr_assert_eq(bottleneck_report_make(graph, &fixture->tree, &fixture->report), 0);
}

static void end(struct fixture *fixture)
{
	bottleneck_report_clear(&fixture->report);
	chain_tree_clear(&fixture->tree);
	wait_graph_clear(&fixture->graph);
	wait_history_clear(&fixture->history);
}

Test(bottlenecks, weights)
{
	const struct bottleneck_report *report;
	size_t client, pool, disk, timer, cpus;
	struct fixture fixture;
	uint64_t roots_ns = 0;

	begin(&fixture);
	finish(&fixture);
	report = &fixture.report;
	client = find_group(report, CHAIN_WAIT, "client");
	pool = find_group(report, CHAIN_WAIT, "pool-#");
	disk = find_group(report, CHAIN_WAIT, "disk");
	timer = find_group(report, CHAIN_TIMER, "");
	cpus = find_group(report, CHAIN_RUNNABLE, "");
	cr_expect_eq(report->group_count, 5);
	expect_edge(report, client, pool, 70, 70);
	/* Once for itself, once for the client. */
	expect_edge(report, pool, pool, 2 * 58, 58);
	/* For itself; for the other one of the pool, and by way of that for the client, 45 each. */
	expect_edge(report, pool, disk, 3 * 45, 45);
	expect_edge(report, disk, timer, 4 * 30, 30);
	expect_edge(report, pool, cpus, 2 * 5, 0);
	cr_expect_eq(report->total_ns, (70 + 58 + 45 + 30) * MS);
	for (size_t i = 0; i < report->group_count; i++)
		roots_ns += report->groups[i].root_ns;
	cr_expect_eq(roots_ns, report->total_ns);
	cr_expect_eq(report->groups[timer].root_ns, 4 * 30 * MS);
	cr_expect_eq(report->groups[timer].knot, 1);
	cr_expect_eq(report->groups[pool].knot, 0);
	end(&fixture);
}

/* That the pool's threads wait for a CPU after a sleep delays themselves, too. */
Test(bottlenecks, delays)
{
	struct fixture fixture;
	const struct bottleneck_report *report = &fixture.report;
	const struct off_cpu *last;

	begin(&fixture);
	last = &wait_history_find(&fixture.history, 3)->items[0];
	cr_assert_eq(
		chain_tree_add_delay(&fixture.tree, 3, last, CHAIN_RUNNABLE, last->woken_ns, last->end_ns),
		0);
	finish(&fixture);
	expect_edge(report, find_group(report, CHAIN_WAIT, "pool-#"), find_group(report, CHAIN_RUNNABLE, ""),
		    3 * 5, 5);
	cr_expect_eq(report->total_ns, (70 + 58 + 45 + 30 + 5) * MS);
	end(&fixture);
}

/* What runs is waited for, and waits for nothing. */
Test(bottlenecks, running)
{
	struct fixture fixture = { 0 };
	const struct bottleneck_report *report = &fixture.report;
	size_t client, pool;

	cr_assert_eq(wait_history_add_thread(&fixture.history, 2, comms[2], 1), 0);
	for (uint64_t i = 1; i < 6; i++)
		add(&fixture, 1, i * 10, i * 10 + 8, i * 10 + 9, 2);
	finish(&fixture);
	client = find_group(report, CHAIN_WAIT, "client");
	pool = find_group(report, CHAIN_WAIT, "pool-#");
	expect_edge(report, client, pool, 40, 40);
	cr_expect_eq(report->groups[pool].root_ns, 40 * MS);
	cr_expect_eq(report->groups[pool].knot, 1);
	cr_expect_eq(report->groups[client].knot, 0);
	end(&fixture);
}
