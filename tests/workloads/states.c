// SPDX-License-Identifier: GPL-2.0-only
/*
 * states [KIND:N]...: one thread per word, named by it, with known behaviour:
 *   spin:MS   computes until it has used MS of CPU time
 *   sleep:N   sleeps N times for 10 ms
 *   wait:MS   waits in read() for a byte that main writes after MS
 *   turns:N   passes a byte to a partner thread and back, N times
 *   churn:N   creates and joins N threads, one after the other
 *   cpu:N     no thread: the words that follow run on CPU N only
 * At its end each thread prints what it knows of itself: its name, TID, CPU time and time spent in
 * its sleeping call (ns), the kernel's run-queue delay (ns), its voluntary and involuntary switches.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct job {
	const char *name;
	void (*run)(struct job *job);
	long value;
	int cpu; /* -1: any */
	int in, out;
	uint64_t asleep_ns;
	pthread_t thread;
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void sleep_ms(long ms)
{
	const struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static void run_spin(struct job *job)
{
	uint64_t end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + (uint64_t)job->value * 1000000;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		;
}

static void run_sleep(struct job *job)
{
	for (long i = 0; i < job->value; i++) {
		uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

		sleep_ms(10);
		job->asleep_ns += clock_ns(CLOCK_MONOTONIC) - begin_ns;
	}
}

static void pass(int in, int out)
{
	char byte = 'x';

	if ((out >= 0 && write(out, &byte, 1) != 1) || (in >= 0 && read(in, &byte, 1) != 1))
		exit(1);
}

static void run_wait(struct job *job)
{
	uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);

	pass(job->in, -1);
	job->asleep_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
}

static void *partner(void *argument)
{
	struct job *job = argument;

	for (long i = 0; i < job->value; i++) {
		pass(job->in, -1);
		pass(-1, job->out);
	}
	return NULL;
}

static void run_turns(struct job *job)
{
	int there[2], back[2];
	struct job other = { .value = job->value };

	if (pipe(there) || pipe(back))
		exit(1);
	other.in = there[0];
	other.out = back[1];
	if (pthread_create(&other.thread, NULL, partner, &other))
		exit(1);
	for (long i = 0; i < job->value; i++)
		pass(back[0], there[1]);
	pthread_join(other.thread, NULL);
}

static void *do_nothing(void *unused)
{
	return unused;
}

static void run_churn(struct job *job)
{
	for (long i = 0; i < job->value; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, do_nothing, NULL))
			exit(1);
		pthread_join(thread, NULL);
	}
}

static void print_self(const struct job *job)
{
	unsigned long long delay_ns = 0, arrivals = 0;
	char line[256];
	struct rusage usage;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (!file || fscanf(file, "%*u %llu %llu", &delay_ns, &arrivals) != 2)
		exit(1);
	fclose(file);
	getrusage(RUSAGE_THREAD, &usage);
	snprintf(line, sizeof(line), "%s %d %llu %llu %llu %ld %ld %llu\n", job->name, gettid(),
		 (unsigned long long)clock_ns(CLOCK_THREAD_CPUTIME_ID), (unsigned long long)job->asleep_ns,
		 delay_ns, usage.ru_nvcsw, usage.ru_nivcsw, arrivals);
	if (write(1, line, strlen(line)) < 0)
		exit(1);
}

static void *run_job(void *argument)
{
	struct job *job = argument;
	cpu_set_t cpus;

	pthread_setname_np(pthread_self(), job->name);
	CPU_ZERO(&cpus);
	CPU_SET(job->cpu, &cpus);
	if (job->cpu >= 0 && sched_setaffinity(0, sizeof(cpus), &cpus))
		exit(1);
	job->run(job);
	print_self(job);
	return NULL;
}

static void start(struct job *job, const char *word, int cpu)
{
	static const struct {
		const char *kind;
		void (*run)(struct job *job);
	} kinds[] = { { "spin", run_spin },
		      { "sleep", run_sleep },
		      { "wait", run_wait },
		      { "turns", run_turns },
		      { "churn", run_churn } };
	int ends[2];

	if (pipe(ends))
		exit(1);
	*job = (struct job){ .name = word, .cpu = cpu, .in = ends[0], .out = ends[1] };
	job->value = atol(strchr(word, ':') + 1);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strncmp(word, kinds[i].kind, strlen(kinds[i].kind)))
			job->run = kinds[i].run;
	}
	if (!job->run || pthread_create(&job->thread, NULL, run_job, job))
		exit(2);
}

int main(int argc, char **argv)
{
	struct job *jobs = calloc((size_t)argc, sizeof(*jobs));
	int count = 0, cpu = -1;

	for (int i = 1; i < argc && jobs; i++) {
		if (!strchr(argv[i], ':'))
			return 2;
		if (!strncmp(argv[i], "cpu:", 4))
			cpu = atoi(argv[i] + 4);
		else
			start(&jobs[count++], argv[i], cpu);
	}
	for (int i = 0; i < count; i++) {
		if (jobs[i].run != run_wait)
			continue;
		sleep_ms(jobs[i].value);
		pass(-1, jobs[i].out);
	}
	for (int i = 0; i < count; i++)
		pthread_join(jobs[i].thread, NULL);
	free(jobs);
	return 0;
}
