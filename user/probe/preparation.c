// SPDX-License-Identifier: GPL-2.0-only
/* BPF programs that run once, after loading and before the recording. */
#include "probe/preparation.h"

#include <errno.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "probe/recorder.h"
#include "scaler.skel.h"

/* One that is not loaded is not needed. Returns 0 or a negative errno. */
static int run(const struct bpf_program *program)
{
	LIBBPF_OPTS(bpf_test_run_opts, options);
	int fd = bpf_program__fd(program);

	return fd < 0 ? 0 : bpf_prog_test_run_opts(fd, &options);
}

static void reserve_components(struct scaler_skeleton *skeleton)
{
	int fd = bpf_program__fd(skeleton->progs.scaler_reserve_component);

	for (int cpu = 0; fd >= 0 && cpu < libbpf_num_possible_cpus(); cpu++) {
		LIBBPF_OPTS(bpf_test_run_opts, options, .flags = BPF_F_TEST_RUN_ON_CPU,
			    .cpu = (unsigned int)cpu);
		int err = bpf_prog_test_run_opts(fd, &options);

		if (err && err != -ENXIO) /* it is offline */
			log_debug("cannot reserve memory for components on CPU %d: %s", cpu, strerror(-err));
	}
}

int preparation_run(struct scaler_skeleton *skeleton)
{
	int err = run(skeleton->progs.scaler_learn_tracer);

	if (err) {
		log_error("cannot run a BPF program: %s; --verbose says more", strerror(-err));
		return err;
	}
	err = run(skeleton->progs.scaler_find_sched_text);
	if (err)
		log_debug("cannot find the scheduler's functions: %s", strerror(-err));
	reserve_components(skeleton);
	return 0;
}
