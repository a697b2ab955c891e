/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of each CPU for what is too large for the stack. */
#ifndef SCALER_SCRATCH_BPF_H
#define SCALER_SCRATCH_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

/* A map of as many values of that type, for each CPU; weak, as all maps are that several objects may have. */
#define SCRATCHES(name, type_of, count)                                                                      \
	struct {                                                                                             \
		__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);                                                     \
		__uint(max_entries, count);                                                                  \
		__type(key, u32);                                                                            \
		__type(value, type_of);                                                                      \
	} name __weak SEC(".maps")

#endif
