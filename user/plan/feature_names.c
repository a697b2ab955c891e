// SPDX-License-Identifier: GPL-2.0-only
/* The names of features. */
#include "plan/feature_names.h"

#include <string.h>

static const char *const names[FEATURE_COUNT] = {
	[FEATURE_SWITCH_STATE] = "switch-state", [FEATURE_FIND_VMA] = "find-vma",
	[FEATURE_USER_MEMORY] = "user-memory",   [FEATURE_UPROBE_MULTI] = "uprobe-multi",
	[FEATURE_BTF_SYSCALLS] = "btf-syscalls", [FEATURE_RAW_SYSCALLS] = "raw-syscalls",
	[FEATURE_KPROBE_MULTI] = "kprobe-multi", [FEATURE_TASK_STORAGE] = "task-storage",
	[FEATURE_TASK_WORK] = "task-work",
};

const char *feature_name(enum feature feature)
{
	return names[feature];
}

enum feature feature_find(const char *name, size_t length)
{
	enum feature feature = 0;

	while (feature < FEATURE_COUNT &&
	       (strlen(names[feature]) != length || strncmp(names[feature], name, length)))
		feature++;
	return feature;
}
