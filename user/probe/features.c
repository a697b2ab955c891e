// SPDX-License-Identifier: GPL-2.0-only
/* What the running kernel and user can do, where BTF, /proc or /sys tells: each question is asked once. */
#include "probe/features.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/kernel_fields.h"

/* The number of parameters of a BTF tracepoint, its private context not counted; -1: unknown. */
static int tracepoint_parameters(const struct btf *btf, const char *typedef_name)
{
	int id = btf__find_by_name_kind(btf, typedef_name, BTF_KIND_TYPEDEF);
	const struct btf_type *type;

	if (id < 0)
		return -1;
	/* typedef -> pointer -> function type */
	type = btf__type_by_id(btf, btf__type_by_id(btf, (unsigned int)id)->type);
	if (!type || !btf_is_ptr(type))
		return -1;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) ? btf_vlen(type) - 1 : -1;
}

static bool switch_passes_state(const struct btf *btf)
{
	return tracepoint_parameters(btf, "btf_trace_sched_switch") >= 4;
}

/* include/uapi/linux/capability.h */
#define CAPABILITY_SYS_ADMIN (1ULL << 21)
#define CAPABILITY_PERFMON   (1ULL << 38)
#define CAPABILITY_BPF       (1ULL << 39)

const char *features_missing_capabilities(void)
{
	uint64_t capabilities = kernel_field("/proc/self/status", "CapEff", 16);

	if (capabilities & CAPABILITY_SYS_ADMIN)
		return NULL;
	if (!(capabilities & (CAPABILITY_BPF | CAPABILITY_PERFMON)))
		return "CAP_BPF and CAP_PERFMON are missing";
	if (!(capabilities & CAPABILITY_BPF))
		return "CAP_BPF is missing";
	return capabilities & CAPABILITY_PERFMON ? NULL : "CAP_PERFMON is missing";
}

const char *features_lockdown(void)
{
	FILE *file = fopen("/sys/kernel/security/lockdown", "re");
	const char *level = "none";
	char line[256] = "";

	/* "none [integrity] confidentiality" */
	if (file && fgets(line, sizeof(line), file)) {
		if (strstr(line, "[integrity]"))
			level = "integrity";
		else if (strstr(line, "[confidentiality]"))
			level = "confidentiality";
	}
	if (file)
		fclose(file);
	return level;
}

static bool has_enumerator(const struct btf *btf, const char *type_name, const char *name)
{
	int id = btf__find_by_name_kind(btf, type_name, BTF_KIND_ENUM);
	bool has = false;

	if (id >= 0) {
		const struct btf_type *type = btf__type_by_id(btf, (unsigned int)id);
		const struct btf_enum *values = btf_enum(type);

		for (int i = 0; i < btf_vlen(type) && !has; i++)
			has = !strcmp(btf__name_by_offset(btf, values[i].name_off), name);
	}
	return has;
}

/* Linux 5.17. */
static bool finds_mappings(const struct btf *btf)
{
	return has_enumerator(btf, "bpf_func_id", "BPF_FUNC_find_vma");
}

/* Linux 5.18. */
static bool reads_other_tasks(const struct btf *btf)
{
	return has_enumerator(btf, "bpf_func_id", "BPF_FUNC_copy_from_user_task");
}

/* Linux 6.6. */
static bool has_uprobe_multi(const struct btf *btf)
{
	return has_enumerator(btf, "bpf_attach_type", "BPF_TRACE_UPROBE_MULTI");
}

static bool has_btf_syscalls(const struct btf *btf)
{
	return btf__find_by_name_kind(btf, "btf_trace_sys_enter", BTF_KIND_TYPEDEF) > 0;
}

/* CONFIG_FTRACE_SYSCALLS: the record of those tracepoints' events. */
static bool has_raw_syscalls(const struct btf *btf)
{
	return btf__find_by_name_kind(btf, "trace_event_raw_sys_enter", BTF_KIND_STRUCT) > 0;
}

/* Linux 5.18 with CONFIG_FPROBE. */
static bool has_kprobe_multi(const struct btf *btf)
{
	return btf__find_by_name_kind(btf, "bpf_kprobe_multi_link", BTF_KIND_STRUCT) > 0;
}

/* Linux 6.18. */
static bool has_task_work(const struct btf *btf)
{
	return btf__find_by_name_kind(btf, "bpf_task_work_schedule_resume_impl", BTF_KIND_FUNC) > 0;
}

static bool has_task_storage(const struct btf *btf)
{
	return has_enumerator(btf, "bpf_map_type", "BPF_MAP_TYPE_TASK_STORAGE");
}

static bool (*const trials[FEATURE_COUNT])(const struct btf *btf) = {
	[FEATURE_SWITCH_STATE] = switch_passes_state, [FEATURE_FIND_VMA] = finds_mappings,
	[FEATURE_USER_MEMORY] = reads_other_tasks,    [FEATURE_UPROBE_MULTI] = has_uprobe_multi,
	[FEATURE_BTF_SYSCALLS] = has_btf_syscalls,    [FEATURE_RAW_SYSCALLS] = has_raw_syscalls,
	[FEATURE_KPROBE_MULTI] = has_kprobe_multi,    [FEATURE_TASK_STORAGE] = has_task_storage,
	[FEATURE_TASK_WORK] = has_task_work,
};

static unsigned int left_out, found;
static bool are_known;

/* All at once, as the kernel's types take milliseconds to read. */
static void find_features(void)
{
	struct btf *btf = btf__load_vmlinux_btf();

	for (int feature = 0; btf && feature < FEATURE_COUNT; feature++) {
		if (trials[feature](btf))
			found |= 1U << feature;
	}
	btf__free(btf);
	are_known = true;
}

unsigned int features_set(void)
{
	if (!are_known)
		find_features();
	return found & ~left_out;
}

bool features_have(enum feature feature)
{
	return features_set() & 1U << feature;
}

void features_leave_out(enum feature feature)
{
	left_out |= 1U << feature;
	/* What is a kind of it. */
	if (feature == FEATURE_RAW_SYSCALLS)
		left_out |= 1U << FEATURE_BTF_SYSCALLS;
}

bool features_walk_stacks(void)
{
#if defined(__x86_64__)
	return features_have(FEATURE_FIND_VMA);
#else
	return false;
#endif
}
