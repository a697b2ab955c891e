/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is kept of a task: in its own storage, which the kernel frees with it, or on kernels without that in hash maps by
 * the task's address, whose rows programs drop when the task is freed.
 */
#ifndef SCALER_TASK_DATA_BPF_H
#define SCALER_TASK_DATA_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include "hash_map.bpf.h"

/* Set by user space before loading; of the maps it creates those that are used. */
const volatile bool tasks_have_storage __weak = true;

/* What a new row of a hash map is made of. */
#define TASK_DATA_LIMIT 16384
extern __u64 task_data_zeros[TASK_DATA_LIMIT / sizeof(__u64)];

/*
 * Defines the maps for one type, and DATA_find() for the one that a task has, NULL if it has none, DATA_make() for a
 * new one as well, all zeros, NULL if there is no memory, and DATA_drop().
 */
#define TASK_DATA(data, data_type)                                                                           \
	struct {                                                                                             \
		__uint(type, BPF_MAP_TYPE_TASK_STORAGE);                                                     \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                                        \
		__type(key, int);                                                                            \
		__type(value, data_type);                                                                    \
	} data##s __weak SEC(".maps");                                                                       \
                                                                                                             \
	HASH_MAP(65536, u64, data_type) data##_rows __weak SEC(".maps");                                     \
                                                                                                             \
	_Static_assert(sizeof(data_type) <= TASK_DATA_LIMIT, "there are zeros enough");                      \
                                                                                                             \
	static __always_inline data_type *data##_find(struct task_struct *task)                              \
	{                                                                                                    \
		u64 key = (u64)task;                                                                         \
                                                                                                             \
		return tasks_have_storage ? bpf_task_storage_get(&data##s, task, 0, 0) :                     \
					    bpf_map_lookup_elem(&data##_rows, &key);                         \
	}                                                                                                    \
                                                                                                             \
	static __always_inline data_type *data##_make(struct task_struct *task)                              \
	{                                                                                                    \
		u64 key = (u64)task;                                                                         \
		data_type *row;                                                                              \
                                                                                                             \
		if (tasks_have_storage)                                                                      \
			return bpf_task_storage_get(&data##s, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);      \
		row = bpf_map_lookup_elem(&data##_rows, &key);                                               \
		if (row)                                                                                     \
			return row;                                                                          \
		bpf_map_update_elem(&data##_rows, &key, task_data_zeros, BPF_NOEXIST);                       \
		return bpf_map_lookup_elem(&data##_rows, &key);                                              \
	}                                                                                                    \
                                                                                                             \
	static __always_inline void data##_drop(struct task_struct *task)                                    \
	{                                                                                                    \
		u64 key = (u64)task;                                                                         \
                                                                                                             \
		if (tasks_have_storage)                                                                      \
			bpf_task_storage_delete(&data##s, task);                                             \
		else                                                                                         \
			bpf_map_delete_elem(&data##_rows, &key);                                             \
	}

#endif
