// SPDX-License-Identifier: GPL-2.0-only
/* What the running kernel has, where its BTF or a trial tells. */
#include "probe/features.h"

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

bool features_switch_passes_state(void)
{
	struct btf *btf = btf__load_vmlinux_btf();
	bool passes;

	if (!btf)
		return false;
	passes = tracepoint_parameters(btf, "btf_trace_sched_switch") >= 4;
	btf__free(btf);
	return passes;
}
