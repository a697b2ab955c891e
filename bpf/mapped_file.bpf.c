// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which file is mapped at an address of the tracer's own. Loaded by itself: it is asked before it is known what else is to
 * be loaded.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "file_key.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* Written and read by user space, from one thread. */
__u64 mapped_file_address;
struct scaler_file_key mapped_file_key; /* all zeros: it is not known */

static long read_mapping(struct task_struct *task, struct vm_area_struct *mapping, void *key)
{
	struct file *file = BPF_CORE_READ(mapping, vm_file);

	if (file)
		file_key_read(key, file);
	return 0;
}

/* Returns 0, or what bpf_find_vma() returns. */
SEC("raw_tp")
int scaler_identify_mapping(void *context)
{
	struct scaler_file_key key = {};
	long err = bpf_find_vma(bpf_get_current_task_btf(), mapped_file_address, read_mapping, &key, 0);

	mapped_file_key = key;
	return (int)err;
}
