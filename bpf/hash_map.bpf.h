/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SCALER_BPF_HASH_MAP_H
#define SCALER_BPF_HASH_MAP_H

#include <bpf/bpf_helpers.h>

/* The type of a hash map whose entries take memory only while they are there. */
#define HASH_MAP(entries, key_type, value_type)                                                              \
	struct {                                                                                             \
		__uint(type, BPF_MAP_TYPE_HASH);                                                             \
		__uint(map_flags, BPF_F_NO_PREALLOC);                                                        \
		__uint(max_entries, entries);                                                                \
		__type(key, key_type);                                                                       \
		__type(value, value_type);                                                                   \
	}

/* The same of one that forgets what was not used for the longest time when it is full; its memory is taken at once. */
#define LRU_MAP(entries, key_type, value_type)                                                               \
	struct {                                                                                             \
		__uint(type, BPF_MAP_TYPE_LRU_HASH);                                                         \
		__uint(max_entries, entries);                                                                \
		__type(key, key_type);                                                                       \
		__type(value, value_type);                                                                   \
	}

#endif
