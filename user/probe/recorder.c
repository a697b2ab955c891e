// SPDX-License-Identifier: GPL-2.0-only
/* The kernel side's life: loaded, told whom to trace, attached, recording, stopped. */
#include "probe/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "scaler.skel.h"

struct recorder {
	struct scaler_skeleton *skeleton;
};

static int print_libbpf(enum libbpf_print_level level, const char *format, va_list arguments)
{
	(void)level;
	log_debug_raw(format, arguments);
	return 0;
}

static void explain_load_error(int err)
{
	if (geteuid() != 0 && (err == -EPERM || err == -EACCES))
		log_error("cannot load BPF programs: no permission; run with sudo");
	else if (access("/sys/kernel/btf/vmlinux", R_OK))
		log_error("cannot load BPF programs: this kernel has no BTF "
			  "(/sys/kernel/btf/vmlinux); use one with CONFIG_DEBUG_INFO_BTF=y");
	else
		log_error("cannot load BPF programs: %s; scaler-bpf doctor and --verbose say more",
			  strerror(-err));
}

int recorder_open(struct recorder **result)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder));
	int err;

	if (!recorder)
		return -ENOMEM;
	libbpf_set_print(print_libbpf);
	recorder->skeleton = scaler_skeleton__open();
	if (!recorder->skeleton) {
		err = -errno;
		explain_load_error(err);
		goto fail;
	}
	err = scaler_skeleton__load(recorder->skeleton);
	if (err) {
		explain_load_error(err);
		goto fail;
	}
	err = scaler_skeleton__attach(recorder->skeleton);
	if (err) {
		log_error("cannot attach BPF programs: %s; --verbose says more", strerror(-err));
		goto fail;
	}
	*result = recorder;
	return 0;
fail:
	recorder_close(recorder);
	return err;
}

static int add_process(struct recorder *recorder, pid_t pid, uint32_t waits_for_exec)
{
	int fd = bpf_map__fd(recorder->skeleton->maps.target_processes);
	uint32_t key = (uint32_t)pid;
	int err = bpf_map_update_elem(fd, &key, &waits_for_exec, BPF_ANY);

	if (err)
		log_error("cannot trace process %d: %s", pid, strerror(-err));
	return err;
}

int recorder_add_process(struct recorder *recorder, pid_t pid)
{
	return add_process(recorder, pid, 0);
}

int recorder_add_process_from_exec(struct recorder *recorder, pid_t pid)
{
	return add_process(recorder, pid, 1);
}

/* Runs the task iterator once; it prints nothing, so reading it to the end is all. */
static int run_task_iterator(struct recorder *recorder)
{
	int fd = bpf_iter_create(bpf_link__fd(recorder->skeleton->links.scaler_find_targets));
	char nothing[64];
	ssize_t got;

	if (fd < 0)
		return fd;
	do {
		got = read(fd, nothing, sizeof(nothing));
	} while (got > 0 || (got < 0 && errno == EINTR));
	close(fd);
	return got < 0 ? -errno : 0;
}

int recorder_start(struct recorder *recorder)
{
	do {
		int err;

		recorder->skeleton->bss->tasks_found = 0;
		err = run_task_iterator(recorder);
		if (err) {
			log_error("cannot look for the threads to trace: %s", strerror(-err));
			return err;
		}
	} while (recorder->skeleton->bss->tasks_found);
	recorder->skeleton->bss->recording = true;
	return 0;
}

void recorder_stop(struct recorder *recorder)
{
	recorder->skeleton->bss->recording = false;
	scaler_skeleton__detach(recorder->skeleton);
}

int recorder_call_fold_fd(const struct recorder *recorder)
{
	return bpf_map__fd(recorder->skeleton->maps.call_fold);
}

uint64_t recorder_losses(const struct recorder *recorder, enum scaler_loss cause)
{
	return recorder->skeleton->bss->losses[cause];
}

void recorder_close(struct recorder *recorder)
{
	if (!recorder)
		return;
	scaler_skeleton__destroy(recorder->skeleton);
	free(recorder);
}
