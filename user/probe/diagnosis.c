// SPDX-License-Identifier: GPL-2.0-only
/* What the running kernel lets this user do: one function per feature, and a table of them. */
#include "probe/diagnosis.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "probe/features.h"
#include "probe/recorder.h"
#include "probe/sampler.h"
#include "probe/uprobe_link.h"
#include "target/process_maps.h"

/* A function to put uprobes on; nobody calls it. */
__attribute__((noinline, used)) static int probed_function(int value)
{
	return value + 1;
}

/* Where it is in the file; 0: unknown. */
static uint64_t probed_offset(void)
{
	uint64_t address = (uintptr_t)probed_function, offset = 0;
	const struct process_mapping *mapping;
	struct process_maps maps = { 0 };

	if (!process_maps_read(&maps, getpid())) {
		mapping = process_maps_find(&maps, address);
		if (mapping)
			offset = address - mapping->component.start + mapping->offset;
	}
	process_maps_clear(&maps);
	return offset;
}

/* Loads a program that does nothing. Returns its descriptor or a negative errno. */
static int load_empty(enum bpf_prog_type type, struct bpf_prog_load_opts *options)
{
	static const struct bpf_insn return_0[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(type, "scaler_doctor", "GPL", return_0, ARRAY_SIZE(return_0), options);
}

/* Closes both; 0 if the second is a descriptor, else its negative errno. */
static int close_both(int program, int attached)
{
	if (attached >= 0)
		close(attached);
	if (program >= 0)
		close(program);
	return attached < 0 ? attached : 0;
}

/* The functions that try a feature return 0, or a negative errno if it is not there, and may say more. */

static int try_capabilities(struct diagnosis_item *item)
{
	const char *missing = features_missing_capabilities();

	snprintf(item->detail, sizeof(item->detail), "%s", missing ?: "CAP_BPF, CAP_PERFMON");
	return missing ? -EPERM : 0;
}

static int try_lockdown(struct diagnosis_item *item)
{
	const char *level = features_lockdown();

	snprintf(item->detail, sizeof(item->detail), "%s", level);
	return strcmp(level, "confidentiality") ? 0 : -EPERM;
}

static int try_btf(struct diagnosis_item *item)
{
	(void)item;
	return access("/sys/kernel/btf/vmlinux", R_OK) ? -errno : 0;
}

static int try_btf_tracepoint(struct diagnosis_item *item)
{
	int type_id = libbpf_find_vmlinux_btf_id("sched_switch", BPF_TRACE_RAW_TP), program;
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_TRACE_RAW_TP);

	(void)item;
	if (type_id < 0)
		return type_id;
	options.attach_btf_id = (uint32_t)type_id;
	program = load_empty(BPF_PROG_TYPE_TRACING, &options);
	return close_both(program, program < 0 ? program : bpf_raw_tracepoint_open(NULL, program));
}

static int try_raw_tracepoint(struct diagnosis_item *item)
{
	int program = load_empty(BPF_PROG_TYPE_RAW_TRACEPOINT, NULL);

	(void)item;
	return close_both(program, program < 0 ? program : bpf_raw_tracepoint_open("sched_switch", program));
}

static int from_probe(int answer)
{
	return answer > 0 ? 0 : answer ?: -EOPNOTSUPP;
}

static int try_task_storage(struct diagnosis_item *item)
{
	(void)item;
	return from_probe(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_TASK_STORAGE, NULL));
}

static int try_task_work(struct diagnosis_item *item)
{
	(void)item;
	return features_have(FEATURE_TASK_WORK) ? 0 : -EOPNOTSUPP;
}

static int try_ring_buffer(struct diagnosis_item *item)
{
	(void)item;
	return from_probe(libbpf_probe_bpf_map_type(BPF_MAP_TYPE_RINGBUF, NULL));
}

static int try_samples(struct diagnosis_item *item)
{
	(void)item;
	return sampler_try();
}

static int try_cookies(struct diagnosis_item *item)
{
	(void)item;
	return from_probe(libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL));
}

static int try_kprobe(struct diagnosis_item *item)
{
	(void)item;
	return access("/sys/bus/event_source/devices/kprobe/type", R_OK) ? -errno : 0;
}

static int try_kprobe_multi(struct diagnosis_item *item)
{
	LIBBPF_OPTS(bpf_prog_load_opts, load, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	const char *name = "vfs_read";
	LIBBPF_OPTS(bpf_link_create_opts, options, .kprobe_multi = { .cnt = 1, .syms = &name });
	int program = load_empty(BPF_PROG_TYPE_KPROBE, &load);

	(void)item;
	return close_both(program, program < 0 ?
					   program :
					   bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &options));
}

static int try_uprobe_link(enum uprobe_link_kind kind)
{
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = (enum bpf_attach_type)kind);
	const uint64_t offset = probed_offset(), cookie = 0;
	struct uprobe_link link = {
		.kind = kind,
		.program_fd = load_empty(BPF_PROG_TYPE_KPROBE, &options),
		.offsets = &offset,
		.cookies = &cookie,
		.count = 1,
		.pid = getpid(),
	};
	int err;

	if (link.program_fd < 0)
		return link.program_fd;
	link.file_fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	err = link.file_fd < 0 ? -errno : uprobe_link_create(&link);
	if (link.file_fd >= 0)
		close(link.file_fd);
	return close_both(link.program_fd, err);
}

static int try_uprobe_event(struct diagnosis_item *item)
{
	(void)item;
	return try_uprobe_link(UPROBE_LINK_EVENT);
}

static int try_uprobe_multi(struct diagnosis_item *item)
{
	(void)item;
	return try_uprobe_link(UPROBE_LINK_MULTI);
}

static const struct {
	const char *name;
	const char *title;
	bool required;
	int (*try)(struct diagnosis_item *item);
	const char *remedy;
} trials[] = {
	{ "capabilities", "capabilities", true, try_capabilities, "run with sudo" },
	{ "lockdown", "lockdown", true, try_lockdown, "boot with lockdown=integrity or without lockdown" },
	{ "btf", "kernel types (BTF)", true, try_btf, "use a kernel with CONFIG_DEBUG_INFO_BTF=y" },
	{ "btf_tracepoints", "BTF tracepoints", true, try_btf_tracepoint,
	  "use Linux 5.11 or later with CONFIG_BPF_EVENTS=y" },
	{ "task_storage", "task storage", false, try_task_storage, "use Linux 5.11 or later" },
	{ "task_work", "task work", false, try_task_work, "use Linux 6.18 or later" },
	{ "ring_buffer", "ring buffer", false, try_ring_buffer, "use Linux 5.8 or later" },
	{ "raw_tracepoints", "raw tracepoints", false, try_raw_tracepoint,
	  "use a kernel with CONFIG_BPF_EVENTS=y" },
	{ "cpu_samples", "CPU samples", false, try_samples, "use Linux 5.15 or later" },
	{ "kprobes", "kprobes", false, try_kprobe, "use a kernel with CONFIG_KPROBE_EVENTS=y" },
	{ "kprobe_multi", "kprobes: multi", false, try_kprobe_multi,
	  "use Linux 5.18 or later with CONFIG_FPROBE=y" },
	{ "uprobe_multi", "uprobes: multi", false, try_uprobe_multi, "use Linux 6.6 or later" },
	{ "uprobe_perf_event", "uprobes: perf event", false, try_uprobe_event,
	  "use a kernel with CONFIG_UPROBE_EVENTS=y" },
	{ "uprobe_cookies", "uprobes: cookies", false, try_cookies, "use Linux 5.15 or later" },
};
_Static_assert(ARRAY_SIZE(trials) <= DIAGNOSIS_ITEMS_MAX, "one item per trial");

static void add_item(struct diagnosis *diagnosis, size_t trial)
{
	struct diagnosis_item *item = &diagnosis->items[diagnosis->item_count++];
	int err;

	*item = (struct diagnosis_item){ .name = trials[trial].name,
					 .title = trials[trial].title,
					 .required = trials[trial].required };
	err = trials[trial].try(item);
	item->available = !err;
	if (!err)
		return;
	if (!*item->detail)
		snprintf(item->detail, sizeof(item->detail), "%s", strerror(-err));
	/* What is refused for want of a capability may be there all the same. */
	item->remedy = (err == -EPERM || err == -EACCES) && features_missing_capabilities() ?
			       "run with sudo" :
			       trials[trial].remedy;
}

static void add_way(struct diagnosis *diagnosis, const char *what, const char *how)
{
	diagnosis->ways[diagnosis->way_count++] = (struct diagnosis_way){ what, how };
}

static bool programs_load(void)
{
	const struct recorder_knobs knobs = { .records_calls = true };
	struct recorder *recorder = NULL;
	bool load = recorder_open(&recorder, &knobs) == 0;

	recorder_close(recorder);
	return load;
}

void diagnosis_make(struct diagnosis *diagnosis)
{
	*diagnosis = (struct diagnosis){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
		add_item(diagnosis, i);
	diagnosis->can_trace = programs_load();
	if (!diagnosis->can_trace)
		return;
	add_way(diagnosis, "thread states",
		features_have(FEATURE_SWITCH_STATE) ?
			"BTF tracepoints; sched_switch passes the state that a thread is left in" :
			"BTF tracepoints; the state that a thread is left in is read from the thread "
			"(before Linux 5.18)");
	add_way(diagnosis, "system calls",
		features_have(FEATURE_BTF_SYSCALLS) ? "BTF tracepoints sys_enter and sys_exit" :
		features_have(FEATURE_RAW_SYSCALLS) ? "raw tracepoints sys_enter and sys_exit" :
						      "kprobes on the kernel's function for each of them");
	add_way(diagnosis, "what is known of a thread",
		features_have(FEATURE_TASK_STORAGE) ? "kept in the thread's own storage" :
						      "kept in hash maps of --map-size threads=N rows");
	add_way(diagnosis, "who issued them",
		features_have(FEATURE_FIND_VMA) ?
			"the mapping, looked up by the kernel at the call (bpf_find_vma)" :
			"/proc/PID/maps at the end, for processes that still live (before Linux 5.17)");
	add_way(diagnosis, "who called for them",
		features_walk_stacks() ?
			"stacks, walked by the kernel at the call, with rules learned from .eh_frame" :
			"not told: stacks are walked from Linux 5.17 on, on x86-64");
	add_way(diagnosis, "running time",
		sampler_try() ?
			"exact for threads and calls, not told by function: there are no CPU samples" :
			"exact for threads and calls; by function from CPU samples, timed by cpu-clock");
}
