// SPDX-License-Identifier: GPL-2.0-only
/* What a process or thread is, from /proc. */
#include "target/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/kernel_fields.h"
#include "base/kernel_file.h"

#define KERNEL_THREAD 0x00200000 /* include/linux/sched.h: PF_KTHREAD */

static int read_file(pid_t tid, const char *name, char *text, size_t size)
{
	FILE *file = kernel_file_read("/proc/%d/%s", tid, name);
	size_t length;
	int err;

	if (!file)
		return errno == ENOENT ? -ESRCH : -errno;
	errno = 0;
	length = fread(text, 1, size - 1, file);
	err = ferror(file) ? -errno : 0;
	text[length] = '\0';
	fclose(file);
	return err;
}

/* State, flags and number of threads stand behind the name, which may hold anything. */
static int parse_stat(struct process *process, const char *text)
{
	const char *rest = strrchr(text, ')');
	unsigned long long start;
	unsigned int flags;
	long threads;
	char state;

	if (!rest ||
	    sscanf(rest, ") %c %*d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu",
		   &state, &flags, &threads, &start) != 4)
		return -EINVAL;
	process->start_ns = start * PROCESS_START_STEP_NS - (uint64_t)clock_boottime_ahead_ns();
	/* A main thread that has ended is a zombie too, as long as others go on. */
	process->ended = strchr("ZXx", state) && threads <= 1;
	process->kernel_thread = flags & KERNEL_THREAD;
	return 0;
}

/* NStgid lists the number in all namespaces from ours on. */
static int parse_status(struct process *process, const char *text)
{
	const char *own = strstr(text, "\nTgid:"), *all = strstr(text, "\nNStgid:"),
		   *tracer = strstr(text, "\nTracerPid:");
	char *end;

	if (!own || sscanf(own, "\nTgid: %d", &process->pid) != 1)
		return -EINVAL;
	if (tracer)
		sscanf(tracer, "\nTracerPid: %d", &process->tracer);
	process->inner_pid = process->pid;
	for (all = all ? all + strlen("\nNStgid:") : ""; *all == '\t'; all = end)
		process->inner_pid = (pid_t)strtol(all, &end, 10);
	return 0;
}

int process_inspect(struct process *process, pid_t tid)
{
	char text[4096];
	int err = read_file(tid, "stat", text, sizeof(text));

	*process = (struct process){ 0 };
	if (!err)
		err = parse_stat(process, text);
	if (!err)
		err = read_file(tid, "status", text, sizeof(text));
	if (err)
		return err;
	return parse_status(process, text);
}

int thread_activity_read(struct thread_activity *activity, pid_t tid)
{
	unsigned long long ran, turns;
	const char *rest;
	char text[1024];
	int err = read_file(tid, "stat", text, sizeof(text));

	*activity = (struct thread_activity){ 0 };
	rest = err ? NULL : strrchr(text, ')');
	if (!err && (!rest || sscanf(rest, ") %c", &activity->state) != 1))
		err = -EINVAL;
	if (!err)
		err = read_file(tid, "schedstat", text, sizeof(text));
	if (!err && sscanf(text, "%llu %*u %llu", &ran, &turns) != 2)
		err = -EINVAL;
	if (err)
		return err;
	activity->ran_ns = ran;
	activity->turns = turns;
	return 0;
}

uint64_t process_count_threads(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return kernel_field(path, "Threads", 10);
}

uint64_t process_count_all_threads(void)
{
	FILE *file = kernel_file_read("/proc/loadavg");
	unsigned long long threads = 0;

	/* Three averages, then how many are running of how many. */
	if (file && fscanf(file, "%*s %*s %*s %*u/%llu", &threads) != 1)
		threads = 0;
	if (file)
		fclose(file);
	return threads;
}
