// SPDX-License-Identifier: GPL-2.0-only
/* What the running kernel and user can do, where BTF, /proc or /sys tells: each question is asked once. */
#include "probe/features.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

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

static bool switch_passes_state(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool passes;

	if (!btf)
		return false;
	passes = tracepoint_parameters(btf, "btf_trace_sched_switch") >= 4;
	btf__free(btf);
	return passes;
}

/* include/uapi/linux/capability.h */
#define CAPABILITY_SYS_ADMIN (1ULL << 21)
#define CAPABILITY_PERFMON   (1ULL << 38)
#define CAPABILITY_BPF       (1ULL << 39)

static uint64_t effective_capabilities(void)
{
	FILE *file = fopen("/proc/self/status", "re");
	unsigned long long capabilities = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "CapEff: %llx", &capabilities) == 1)
			break;
	}
	if (file)
		fclose(file);
	return capabilities;
}

const char *features_missing_capabilities(void)
{
	uint64_t capabilities = effective_capabilities();

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

static bool kernel_has_enumerator(const char *type_name, const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int id = btf ? btf__find_by_name_kind(btf, type_name, BTF_KIND_ENUM) : -1;
	bool has = false;

	if (id >= 0) {
		const struct btf_type *type = btf__type_by_id(btf, (unsigned int)id);
		const struct btf_enum *values = btf_enum(type);

		for (int i = 0; i < btf_vlen(type) && !has; i++)
			has = !strcmp(btf__name_by_offset(btf, values[i].name_off), name);
	}
	btf__free(btf);
	return has;
}

/* Linux 5.17. */
static bool finds_mappings(void)
{
	return kernel_has_enumerator("bpf_func_id", "BPF_FUNC_find_vma");
}

/* Linux 5.18. */
static bool reads_other_tasks(void)
{
	return kernel_has_enumerator("bpf_func_id", "BPF_FUNC_copy_from_user_task");
}

/* Linux 6.6. */
static bool has_uprobe_multi(void)
{
	return kernel_has_enumerator("bpf_attach_type", "BPF_TRACE_UPROBE_MULTI");
}

#if defined(__x86_64__)
static bool kernel_is_at_least(unsigned int major, unsigned int minor)
{
	struct utsname name;
	unsigned int first, second;

	if (uname(&name) || sscanf(name.release, "%u.%u", &first, &second) != 2)
		return false;
	return first > major || (first == major && second >= minor);
}
#endif

/* On a machine of ours. */
static bool has_uprobe_session(void)
{
#if defined(__x86_64__)
	/* Sessions are Linux 6.13's. Commit cf6cb56ef244 ("seccomp: passthrough uretprobe systemcall without filtering"): else filters may end programs. */
	return kernel_is_at_least(6, 14) &&
	       kernel_has_enumerator("bpf_attach_type", "BPF_TRACE_UPROBE_SESSION");
#else
	return false;
#endif
}

static struct {
	bool (*const is_there)(void);
	bool is_known;
	bool answer;
} features[FEATURE_COUNT] = {
	[FEATURE_SWITCH_STATE] = { switch_passes_state },  [FEATURE_FIND_VMA] = { finds_mappings },
	[FEATURE_USER_MEMORY] = { reads_other_tasks },     [FEATURE_UPROBE_MULTI] = { has_uprobe_multi },
	[FEATURE_UPROBE_SESSION] = { has_uprobe_session },
};

bool features_have(enum feature feature)
{
	if (!features[feature].is_known)
		features[feature].answer = features[feature].is_there();
	features[feature].is_known = true;
	return features[feature].answer;
}

void features_leave_out(enum feature feature)
{
	features[feature].is_known = true;
	features[feature].answer = false;
	/* Sessions are links of that kind. */
	if (feature == FEATURE_UPROBE_MULTI)
		features_leave_out(FEATURE_UPROBE_SESSION);
}

bool features_walk_stacks(void)
{
#if defined(__x86_64__)
	return features_have(FEATURE_FIND_VMA);
#else
	return false;
#endif
}
