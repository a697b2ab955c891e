// SPDX-License-Identifier: GPL-2.0-only
/* The timers of CPU samples. */
#include "probe/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/libbpf.h>

bool sampler_is_possible(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_storage_get, NULL) == 1 &&
	       libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_pt_regs, NULL) == 1;
}

/* Not of hardware counters, which virtual machines often lack; the kernel's clock is everywhere. */
static int open_timer(int cpu, unsigned int frequency)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = 1000000000 / frequency,
		.disabled = 1,
		.exclude_idle = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int sampler_try(void)
{
	int fd = sampler_is_possible() ? open_timer(0, 1) : -EOPNOTSUPP;

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static struct bpf_link *attach_timer(const struct bpf_program *program, int fd)
{
	struct bpf_link *link = bpf_program__attach_perf_event(program, fd);
	int err = errno;

	if (!link)
		close(fd);
	errno = err;
	return link;
}

int sampler_attach(struct sampler *sampler, const struct bpf_program *program, unsigned int frequency)
{
	int cpus = libbpf_num_possible_cpus(), err = cpus < 0 ? cpus : 0;

	*sampler =
		(struct sampler){ .links = calloc(cpus > 0 ? (size_t)cpus : 1, sizeof(struct bpf_link *)) };
	if (!sampler->links)
		return -ENOMEM;
	for (int cpu = 0; cpu < cpus && !err; cpu++) {
		int fd = open_timer(cpu, frequency);

		/* Possible, and not online. */
		if (fd == -ENODEV)
			continue;
		err = fd < 0 ? fd : 0;
		if (!err && !(sampler->links[sampler->count] = attach_timer(program, fd)))
			err = -errno;
		sampler->count += !err;
	}
	if (err)
		sampler_detach(sampler);
	return err;
}

void sampler_detach(struct sampler *sampler)
{
	while (sampler->count)
		bpf_link__destroy(sampler->links[--sampler->count]);
	free(sampler->links);
	*sampler = (struct sampler){ 0 };
}
