// SPDX-License-Identifier: GPL-2.0-only
/* What the tracer's programs take from the traced threads: sums over CPUs. */
#include "probe/spending.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/clock.h"

/*
 * Of a measurement the least of some batches of calls counts, because what else happens only adds to it; of measurements
 * the mean, because a virtual machine's CPUs are not always equally fast.
 */
#define MEAN_KEPT   0.9
#define BATCHES     8
#define BATCH_CALLS 64
/* A CPU's two running times change together, and may be read between. */
#define READ_ATTEMPTS 4

static size_t map_length(const struct spending_meter *meter)
{
	size_t page = (size_t)getpagesize();

	return (meter->cpu_count * sizeof(*meter->costs) + page - 1) / page * page;
}

int spending_open(struct spending_meter **result, const struct bpf_map *costs)
{
	struct spending_meter *meter = calloc(1, sizeof(*meter));
	void *rows;
	int err;

	if (!meter)
		return -ENOMEM;
	meter->cpu_count = bpf_map__max_entries(costs);
	rows = mmap(NULL, map_length(meter), PROT_READ, MAP_SHARED, bpf_map__fd(costs), 0);
	if (rows == MAP_FAILED) {
		err = -errno;
		free(meter);
		return err;
	}
	pthread_mutex_init(&meter->lock, NULL);
	meter->costs = rows;
	*result = meter;
	return 0;
}

void spending_close(struct spending_meter *meter)
{
	if (!meter)
		return;
	munmap((void *)meter->costs, map_length(meter));
	pthread_mutex_destroy(&meter->lock);
	free(meter);
}

void spending_measure_calls(struct spending_meter *meter, enum spending_calls attached)
{
	double least_ns = INFINITY, *mean_ns = &meter->call_ns[attached];

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t start_ns = clock_now_ns();

		for (int call = 0; call < BATCH_CALLS; call++)
			syscall(SYS_getppid);
		least_ns = fmin(least_ns, (double)(clock_now_ns() - start_ns) / BATCH_CALLS);
	}
	pthread_mutex_lock(&meter->lock);
	*mean_ns = *mean_ns > 0 ? *mean_ns * MEAN_KEPT + least_ns * (1 - MEAN_KEPT) : least_ns;
	pthread_mutex_unlock(&meter->lock);
}

void spending_set_hidden(struct spending_meter *meter, double hidden_ns)
{
	pthread_mutex_lock(&meter->lock);
	meter->hidden_ns = hidden_ns;
	pthread_mutex_unlock(&meter->lock);
}

/* More than without the programs. */
static double more_ns(const struct spending_meter *meter, enum spending_calls attached)
{
	double more_ns = meter->call_ns[attached] - meter->call_ns[SPENDING_NOTHING];

	return meter->call_ns[attached] > 0 && more_ns > 0 ? more_ns : 0;
}

static uint64_t read_running_ns(const struct scaler_cpu_cost *cpu)
{
	uint64_t running_ns = 0, since_ns, now_ns;

	for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
		since_ns = __atomic_load_n(&cpu->running_since_ns, __ATOMIC_ACQUIRE);
		running_ns = __atomic_load_n(&cpu->running_ns, __ATOMIC_ACQUIRE);
		now_ns = clock_now_ns();
		if (since_ns != __atomic_load_n(&cpu->running_since_ns, __ATOMIC_ACQUIRE))
			continue;
		return running_ns + (since_ns && now_ns > since_ns ? now_ns - since_ns : 0);
	}
	return running_ns;
}

/* What the kernel takes to run the programs of system calls, with what they cost now. */
static void reckon(struct spending_meter *meter, struct scaler_spending *spending)
{
	double hit_ns = more_ns(meter, SPENDING_BOTH) / 2 + meter->hidden_ns;

	meter->dispatched_ns += hit_ns * (double)(spending->call_hits - meter->call_hits);
	meter->dispatched_ns +=
		more_ns(meter, SPENDING_ENTRIES) * (double)(spending->counted_calls - meter->counted_calls);
	meter->call_hits = spending->call_hits;
	meter->counted_calls = spending->counted_calls;
	spending->spent_ns[SCALER_COST_CALLS] += (uint64_t)meter->dispatched_ns;
}

struct scaler_spending spending_read(struct spending_meter *meter)
{
	struct scaler_spending spending = { 0 };

	pthread_mutex_lock(&meter->lock);
	spending.time_ns = clock_now_ns();
	for (size_t i = 0; i < meter->cpu_count; i++) {
		const struct scaler_cpu_cost *cpu = &meter->costs[i];

		spending.running_ns += read_running_ns(cpu);
		for (int kind = 0; kind < SCALER_COST_KINDS; kind++)
			spending.spent_ns[kind] += __atomic_load_n(&cpu->of[kind].spent_ns, __ATOMIC_RELAXED);
		spending.call_hits += __atomic_load_n(&cpu->of[SCALER_COST_CALLS].hits, __ATOMIC_RELAXED);
		spending.counted_calls += __atomic_load_n(&cpu->counted_calls, __ATOMIC_RELAXED);
	}
	reckon(meter, &spending);
	if (spending.running_ns < meter->running_ns)
		spending.running_ns = meter->running_ns;
	meter->running_ns = spending.running_ns;
	pthread_mutex_unlock(&meter->lock);
	return spending;
}

void spending_begin(struct spending_meter *meter)
{
	meter->first = spending_read(meter);
}

void spending_end(struct spending_meter *meter)
{
	meter->last = spending_read(meter);
	meter->has_ended = true;
}

struct scaler_spending spending_of_recording(struct spending_meter *meter)
{
	struct scaler_spending now = meter->has_ended ? meter->last : spending_read(meter);

	return scaler_spending_since(&meter->first, &now);
}
