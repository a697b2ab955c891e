// SPDX-License-Identifier: GPL-2.0-only
/*
 * empty_probes PATH PID OFFSET...: sets the program of empty_probes.bpf.c on instructions by one link, in one
 * process; prints "ready" and how many ms that took. SIGINT ends it, with how many ms that took.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "empty_probes.skel.h"

#define MULTI 48 /* BPF_TRACE_UPROBE_MULTI; Linux 6.6 */

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* bpf(BPF_LINK_CREATE) for uprobe_multi, for which Debian 12's libbpf has no function. */
static int create_link(int program, const char *path, pid_t pid, const uint64_t *offsets, uint32_t count)
{
	struct {
		uint32_t program, target, type, flags;
		uint64_t path, offsets, reference_counters, cookies;
		uint32_t count, probe_flags, pid, zero;
	} attributes = {
		.program = (uint32_t)program,
		.type = MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)offsets,
		.count = count,
		.pid = (uint32_t)pid,
	};

	return (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof(attributes));
}

int main(int argc, char **argv)
{
	struct empty_probes *probes = empty_probes__open();
	uint64_t *offsets = calloc((size_t)argc, sizeof(*offsets));
	double began_ms;
	sigset_t ending;
	int link, signal;

	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	if (argc < 4 || !probes || !offsets)
		return 2;
	for (int i = 3; i < argc; i++)
		offsets[i - 3] = strtoull(argv[i], NULL, 0);
	bpf_program__set_expected_attach_type(probes->progs.empty_probe, (enum bpf_attach_type)MULTI);
	if (empty_probes__load(probes)) {
		fputs("no links of many probes, which Linux has since 6.6\n", stderr);
		return 1;
	}
	began_ms = now_ms();
	link = create_link(bpf_program__fd(probes->progs.empty_probe), argv[1], atoi(argv[2]), offsets,
			   (uint32_t)argc - 3);
	if (link < 0) {
		perror(argv[1]);
		return 1;
	}
	printf("ready %.3f\n", now_ms() - began_ms);
	fflush(stdout);
	sigwait(&ending, &signal);
	began_ms = now_ms();
	close(link);
	printf("gone %.3f\n", now_ms() - began_ms);
	return 0;
}
