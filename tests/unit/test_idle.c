// SPDX-License-Identifier: GPL-2.0-only
/* Which waits are idle by design, and for how long. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "analysis/idle.h"
#include "base/array.h"

#define MS 1000000ULL

Test(idle, sides)
{
	static const struct {
		struct scaler_socket socket;
		enum socket_side side;
	} cases[] = {
		{ { .family = AF_INET, .type = SOCK_STREAM, .local_port = 80, .remote_port = 40000 },
		  SOCKET_SIDE_SERVER },
		{ { .family = AF_INET6, .type = SOCK_STREAM, .local_port = 40000, .remote_port = 443 },
		  SOCKET_SIDE_CLIENT },
		/* It listens. */
		{ { .family = AF_INET, .type = SOCK_STREAM, .local_port = 50000 }, SOCKET_SIDE_SERVER },
		{ { .family = AF_INET, .type = SOCK_DGRAM, .local_port = 53 }, SOCKET_SIDE_SERVER },
		{ { .family = AF_INET, .type = SOCK_DGRAM, .local_port = 50000 }, SOCKET_SIDE_CLIENT },
		{ { .family = AF_INET, .type = SOCK_DGRAM }, SOCKET_SIDE_UNKNOWN },
		{ { .family = AF_UNIX, .has_name = 1, .peer = 7 }, SOCKET_SIDE_SERVER },
		{ { .family = AF_UNIX, .peer_has_name = 1, .peer = 7 }, SOCKET_SIDE_CLIENT },
		{ { .family = AF_UNIX, .peer = 7 }, SOCKET_SIDE_UNKNOWN }, /* of a pair */
		{ { .family = AF_NETLINK }, SOCKET_SIDE_UNKNOWN },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		cr_expect_eq(socket_side(&cases[i].socket), cases[i].side, "case %zu", i);
	cr_expect_eq(socket_side(NULL), SOCKET_SIDE_UNKNOWN);
}

/* Threads that wait, and places that they wait in: 0 a condition variable's, 1 a mutex's. */
struct fixture {
	struct wait_graph graph;
	struct wait_history history;
	struct place items[2];
	struct places places;
	struct sockets sockets;
	struct chain_tree tree;
};

static void begin(struct fixture *fixture)
{
	*fixture = (struct fixture){
		.items = { { .function = "pthread_cond_wait" }, { .function = "pthread_mutex_lock" } },
		.places = { .items = fixture->items, .count = 2 },
	};
	fixture->graph.places = &fixture->places;
	fixture->graph.history = &fixture->history;
	fixture->history.sockets = &fixture->sockets;
	fixture->graph.names = calloc(64, sizeof(*fixture->graph.names));
	cr_assert(fixture->graph.names);
}

static void end(struct fixture *fixture)
{
	chain_tree_clear(&fixture->tree);
	sockets_clear(&fixture->sockets);
	wait_graph_clear(&fixture->graph);
	wait_history_clear(&fixture->history);
}

/* Adds it with its explanation; the number of its shape. */
static uint32_t add(struct fixture *fixture, const struct scaler_blocking_interval *interval, size_t place)
{
	struct wait_history *history = &fixture->history;
	const struct off_cpu *wait = wait_history_add(history, interval, NULL);

	cr_assert(wait);
	cr_assert_lt(history->shapes.count, 64);
	fixture->graph.names[wait->shape].place.path.entered = place;
	fixture->graph.names[wait->shape].place.path.innermost = place;
	return wait->shape;
}

static struct scaler_blocking_interval make(uint32_t task, unsigned int call, uint8_t resource, uint64_t id)
{
	return (struct scaler_blocking_interval){
		.where = { .task = task, .site = task },
		.start_ns = 10 * MS,
		.woken_ns = 110 * MS,
		.end_ns = 110 * MS,
		.flags = SCALER_BLOCKING_IN_CALL,
		.call = { .number = (uint16_t)call, .abi = SCALER_ABI_NATIVE },
		.resource = { .kind = resource, .descriptor = SCALER_DESCRIPTOR_SOCKET, .id = id },
		.waker = { .context = SCALER_WAKER_SOFTIRQ, .vector = 3 /* a packet */ },
	};
}

Test(idle, takes_work)
{
	static const struct socket_ends ends[] = {
		{ 1, { .family = AF_INET, .type = SOCK_STREAM, .local_port = 80, .remote_port = 40000 } },
		{ 2, { .family = AF_INET, .type = SOCK_STREAM, .local_port = 40000, .remote_port = 80 } },
	};
	static const struct {
		unsigned int call;
		uint8_t resource;
		uint64_t socket;
		size_t place;
		bool takes_work;
	} cases[] = {
		{ SYS_accept4, SCALER_RESOURCE_FILE, 3, PLACE_NONE, true },
		{ SYS_read, SCALER_RESOURCE_FILE, 1, PLACE_NONE, true },
		{ SYS_read, SCALER_RESOURCE_FILE, 2, PLACE_NONE, false },
		{ SYS_read, SCALER_RESOURCE_FILE, 3, PLACE_NONE, false },
		{ SYS_epoll_pwait, SCALER_RESOURCE_FILE, 1, PLACE_NONE, true },
		{ SYS_epoll_pwait, SCALER_RESOURCE_FILE, 2, PLACE_NONE, false },
		{ SYS_epoll_pwait, SCALER_RESOURCE_FILE, 3, PLACE_NONE, true },
		{ SYS_ppoll, SCALER_RESOURCE_FILES, 0, PLACE_NONE, true },
		{ SYS_ppoll, SCALER_RESOURCE_NONE, 0, PLACE_NONE, false }, /* a sleep */
		{ SYS_nanosleep, SCALER_RESOURCE_NONE, 0, PLACE_NONE, false },
		{ SYS_futex, SCALER_RESOURCE_FUTEX, 0, 0, true },
		{ SYS_futex, SCALER_RESOURCE_FUTEX, 0, 1, false },
		{ SYS_futex, SCALER_RESOURCE_FUTEX, 0, PLACE_NONE, false },
		{ SYS_wait4, SCALER_RESOURCE_CHILD, 0, PLACE_NONE, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scaler_blocking_interval interval =
			make(1, cases[i].call, cases[i].resource, cases[i].socket);
		struct fixture fixture;

		begin(&fixture);
		for (size_t j = 0; j < ARRAY_SIZE(ends); j++)
			cr_assert_eq(sockets_add(&fixture.sockets, &ends[j]), 0);
		cr_expect_eq(idle_takes_work(&fixture.graph, add(&fixture, &interval, cases[i].place)),
			     cases[i].takes_work, "case %zu", i);
		end(&fixture);
	}
}

Test(idle, sleeps)
{
	static const struct {
		unsigned int call;
		uint8_t resource;
		bool is_sleep;
	} cases[] = {
		{ SYS_nanosleep, SCALER_RESOURCE_NONE, true },
		{ SYS_clock_nanosleep, SCALER_RESOURCE_NONE, true },
		{ SYS_ppoll, SCALER_RESOURCE_NONE, true },
		{ SYS_ppoll, SCALER_RESOURCE_FILES, false },
		{ SYS_futex, SCALER_RESOURCE_FUTEX, false },
		{ SYS_read, SCALER_RESOURCE_NONE, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct scaler_blocking_interval interval = make(1, cases[i].call, cases[i].resource, 0);
		struct fixture fixture;
		uint32_t shape;

		begin(&fixture);
		shape = add(&fixture, &interval, PLACE_NONE);
		cr_expect_eq(idle_is_sleep(&wait_shape_get(&fixture.history.shapes, shape)->key),
			     cases[i].is_sleep, "case %zu", i);
		end(&fixture);
	}
}

static uint64_t find_idle_ns(struct fixture *fixture, uint32_t task)
{
	const struct chain_node *nodes = chain_tree_nodes(&fixture->tree);

	for (size_t i = 0; i < fixture->tree.nodes.count; i++) {
		const struct wait_shape *shape = wait_shape_get(&fixture->history.shapes, nodes[i].key.shape);

		if (nodes[i].key.parent == CHAIN_NODE_NONE && shape->key.site == task)
			return nodes[i].idle_ns;
	}
	cr_assert_fail("task %u", task);
	return 0;
}

static void explain(struct fixture *fixture, const struct scaler_blocking_interval *interval)
{
	uint32_t task = interval->where.task;

	cr_assert_eq(chain_tree_add(&fixture->tree, &fixture->history, task,
				    wait_history_get(&fixture->history, task, interval->start_ns),
				    interval->start_ns, interval->woken_ns),
		     0);
}

/* 1 sleeps, and then runs for 10 ms; 2 waits for a lock that it has. */
Test(idle, sleep_that_delays)
{
	struct scaler_blocking_interval intervals[] = {
		make(1, SYS_nanosleep, SCALER_RESOURCE_NONE, 0),
		make(2, SYS_futex, SCALER_RESOURCE_FUTEX, 0),
	};
	struct fixture fixture;

	begin(&fixture);
	intervals[0].waker = (struct scaler_waker){ .context = SCALER_WAKER_HARDIRQ, .is_timer = 1 };
	intervals[1].woken_ns = intervals[1].end_ns = 120 * MS;
	intervals[1].waker = (struct scaler_waker){ .context = SCALER_WAKER_TASK, .where = { .task = 1 } };
	add(&fixture, &intervals[0], PLACE_NONE);
	add(&fixture, &intervals[1], 1);
	explain(&fixture, &intervals[0]);
	explain(&fixture, &intervals[1]);
	idle_find(&fixture.graph, &fixture.tree);
	cr_expect_eq(find_idle_ns(&fixture, 1), 100 * MS);
	cr_expect_eq(find_idle_ns(&fixture, 2), 0);
	end(&fixture);
}

/* 1 accepts, and then runs for 10 ms; 2 waits for it to hand on what it got, 3 for a lock. */
Test(idle, chain)
{
	struct scaler_blocking_interval intervals[] = {
		make(1, SYS_accept, SCALER_RESOURCE_FILE, 3),
		make(2, SYS_futex, SCALER_RESOURCE_FUTEX, 0),
		make(3, SYS_futex, SCALER_RESOURCE_FUTEX, 0),
	};
	struct fixture fixture;

	begin(&fixture);
	for (size_t i = 1; i < ARRAY_SIZE(intervals); i++) {
		intervals[i].woken_ns = 120 * MS;
		intervals[i].end_ns = 120 * MS;
		intervals[i].waker =
			(struct scaler_waker){ .context = SCALER_WAKER_TASK, .where = { .task = 1 } };
	}
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		add(&fixture, &intervals[i], i ? i - 1 : PLACE_NONE);
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++)
		explain(&fixture, &intervals[i]);
	idle_find(&fixture.graph, &fixture.tree);
	cr_expect_eq(find_idle_ns(&fixture, 1), 100 * MS);
	cr_expect_eq(find_idle_ns(&fixture, 2), 100 * MS);
	cr_expect_eq(find_idle_ns(&fixture, 3), 0);
	end(&fixture);
}
