// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast wait-for chains are made, of intervals that are made up: chains SCENARIO COUNT HISTORY_S, one after the
 * other as they would be told. Prints intervals, CPU seconds of making the chains, seconds of the recording, bytes
 * resident at most, and nodes of the chains' tree.
 *
 * service: a hundred clients that each wait for a server, which waits for a backend, which waits for a timer.
 * pool: one thread that waits for packets 10,000 times a second and wakes a thousand others in turn, once a second each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/chain_builder.h"

#define US     1000ULL
#define MS     1000000ULL
#define SECOND 1000000000ULL

#define PART    65536 /* so many are told at once */
#define LAG_NS  (100 * MS)
#define GROUPS  100
#define WORKERS 1000

struct bench {
	struct chain_builder builder;
	struct profile part;
	uint64_t now_ns;
	double busy_s;
};

static double cpu_s(void)
{
	struct timespec cpu;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	return (double)cpu.tv_sec + (double)cpu.tv_nsec / 1e9;
}

static void fail_on(int err)
{
	if (!err)
		return;
	fprintf(stderr, "chains: %s\n", strerror(-err));
	exit(1);
}

static void make_chains(struct bench *bench, uint64_t until_ns)
{
	double began_s = cpu_s();

	bench->part.window = (struct scaler_window){ .start_ns = 1, .end_ns = bench->now_ns };
	fail_on(chain_builder_add(&bench->builder, &bench->part) ?:
			chain_builder_explain(&bench->builder, &bench->part.window, until_ns));
	chain_builder_forget(&bench->builder, bench->now_ns > LAG_NS ? bench->now_ns - LAG_NS : 0);
	bench->busy_s += cpu_s() - began_s;
	bench->part.blocking.count = 0;
}

static struct scaler_waker by_task(uint32_t task, const char *comm)
{
	struct scaler_waker waker = {
		.context = SCALER_WAKER_TASK,
		.vector = SCALER_VECTOR_NONE,
		.where = { .task = task, .site = 100, .stack = 1 },
		.names = { .tgid = 1, .tid = task },
	};

	memcpy(waker.names.comm, comm, strlen(comm));
	return waker;
}

static void tell(struct bench *bench, uint32_t task, const char *comm, uint64_t start_ns, uint64_t woken_ns,
		 const struct scaler_waker *waker)
{
	struct scaler_blocking_interval interval = {
		/* Each thread comes by several ways, as do those of programs. */
		.where = { .task = task, .site = 10, .stack = (uint32_t)(start_ns / MS % 7) },
		.start_ns = start_ns,
		.woken_ns = woken_ns,
		.end_ns = woken_ns + 10 * US,
		.names = { .tgid = 1, .tid = task },
		.waker = *waker,
	};

	memcpy(interval.names.comm, comm, strlen(comm));
	bench->now_ns = interval.end_ns;
	fail_on(blocking_intervals_add(&bench->part.blocking, &interval, NULL));
	if (bench->part.blocking.count == PART)
		make_chains(bench, bench->now_ns > LAG_NS ? bench->now_ns - LAG_NS : 0);
}

static const struct scaler_waker timer = { .context = SCALER_WAKER_HARDIRQ,
					   .is_timer = 1,
					   .vector = SCALER_VECTOR_NONE };
static const struct scaler_waker packet = { .context = SCALER_WAKER_SOFTIRQ, .vector = 3 };

/* One turn of all groups takes a millisecond. */
static void serve(struct bench *bench, uint64_t count)
{
	for (uint64_t i = 0; i < count; i += 3) {
		uint32_t group = (uint32_t)(i / 3 % GROUPS), client = 3 * group + 1;
		uint64_t ns = i / 3 * (MS / GROUPS) + 1;
		const struct scaler_waker backend = by_task(client + 2, "backend"),
					  server = by_task(client + 1, "server");

		tell(bench, client + 2, "backend", ns + 100 * US, ns + 500 * US, &timer);
		tell(bench, client + 1, "server", ns + 50 * US, ns + 550 * US, &backend);
		tell(bench, client, "client", ns, ns + 600 * US, &server);
	}
}

static void dispatch(struct bench *bench, uint64_t count)
{
	const struct scaler_waker dispatcher = by_task(1, "dispatcher");

	for (uint64_t i = 0; i < count; i++) {
		uint64_t ns = i * 100 * US + 1;
		uint32_t worker = (uint32_t)(2 + i / 10 % WORKERS);

		tell(bench, 1, "dispatcher", ns, ns + 50 * US, &packet);
		if (i % 10 == 0 && ns > SECOND)
			tell(bench, worker, "worker", ns - SECOND + 90 * US, ns + 70 * US, &dispatcher);
	}
}

int main(int argc, char **argv)
{
	struct bench bench = { .builder = { .explains = true } };
	uint64_t count = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;
	struct rusage usage;

	if (!count || (strcmp(argv[1], "service") && strcmp(argv[1], "pool"))) {
		fprintf(stderr, "usage: chains service|pool COUNT HISTORY_S\n");
		return 2;
	}
	bench.builder.history_ns = strtoull(argv[3], NULL, 10) * SECOND;
	if (strcmp(argv[1], "pool"))
		serve(&bench, count);
	else
		dispatch(&bench, count);
	make_chains(&bench, UINT64_MAX);
	getrusage(RUSAGE_SELF, &usage);
	printf("%lu %.3f %.3f %lu %zu\n", count, bench.busy_s, (double)bench.now_ns / 1e9,
	       (unsigned long)usage.ru_maxrss * 1024, bench.builder.tree.nodes.count);
	chain_builder_clear(&bench.builder);
	profile_clear(&bench.part);
	return 0;
}
