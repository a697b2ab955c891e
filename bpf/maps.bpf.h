/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every map, knob and counter that the BPF programs share. Maps are weak, so that the linker makes
 * one of the definitions of several objects.
 */
#ifndef SCALER_MAPS_BPF_H
#define SCALER_MAPS_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <scaler/call_window.h>
#include <scaler/component.h>
#include <scaler/library.h>
#include <scaler/record.h>
#include <scaler/stack_template.h>
#include <scaler/target.h>
#include <scaler/thread_state.h>
#include "hash_map.bpf.h"
#include "task_data.bpf.h"

/* Where a thread's latest calls were issued, so that few of them need their mapping looked up or a walk. */
#define KNOWN_SITES_BITS 6
#define TEMPLATE_SETS    10 /* so that with them a thread's state takes no more than 8 KiB */
#define TEMPLATE_WAYS    2
struct known_site {
	u64 address;
	u64 site;
};
struct known_sites {
	u64 address_space; /* the number of that in which they are so; 0: none yet */
	u64 changes;       /* of all address spaces, when that was looked up */
	struct known_site slots[1 << KNOWN_SITES_BITS];
	struct scaler_template templates[TEMPLATE_SETS][TEMPLATE_WAYS]; /* the first way is the newer */
};

/* Which of a thread's calls have a near row: call_rows.bpf.h. */
#define NEAR_SET_BITS 3
#define NEAR_WAYS     4
struct near_call {
	u64 site;
	struct scaler_call_id id;
	u32 stack;
	u32 row; /* 0: the slot is free; NEAR_CALL_IS_FAR; else the number of the row, from 1 */
	u32 context;
};
#define NEAR_CALL_IS_FAR (~0U)

/* Why a thread is followed though nothing of it counts yet. */
enum dormancy {
	DORMANT_NOT,
	DORMANT_UNTIL_EXEC,
	DORMANT_UNTIL_NAMED, /* its process has not the name that is asked for */
};

/* Where a thread's call was issued, found from outside. */
struct placed_call {
	u64 enter_ns; /* of the call; 0: none */
	u64 site;
	u32 stack;
	u32 zero;
};

/* Kernel-side state of one traced thread; a thread without it is not traced. */
struct task_state {
	struct scaler_thread thread;
	struct known_sites sites;
	struct near_call near_calls[1 << NEAR_SET_BITS][NEAR_WAYS];
	struct placed_call placed;
	u64 changes;         /* task_state.bpf.h */
	u64 exec_runtime_ns; /* the kernel's own figures at the last switch-out that was seen */
	u64 voluntary;
	u64 quota_queue; /* quota.bpf.h: the queue that the thread became able to run on, and that one's counter */
	u64 quota_kept_ns;
	u64 recorded_cookie; /* of the last probe that recorded a hit while links were replaced */
	bool found_on_cpu;   /* when found, and nothing seen since: it may be in a call not seen to begin */
	bool borrows_memory; /* its process has its parent's, and no probes */
	u8 dormant;          /* enum dormancy */
};

TASK_DATA(task_state, struct task_state)

/* Processes or threads to trace, by their numbers as user space sees them; enum scaler_target_begin. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, u32);
	__type(value, u32);
} target_ids __weak SEC(".maps");

/* Threads that have exited, by serial number. */
HASH_MAP(65536, u32, struct scaler_thread) threads __weak SEC(".maps");

HASH_MAP(65536, struct scaler_call_key, struct scaler_call_stats) call_fold __weak SEC(".maps");

HASH_MAP(65536, struct scaler_error_key, __u64) error_fold __weak SEC(".maps");

/* The number of each component, and what it is. */
HASH_MAP(16384, struct scaler_component_key, u32) component_numbers __weak SEC(".maps");

HASH_MAP(16384, u32, struct scaler_component) components __weak SEC(".maps");

/* Set by user space before loading. */
const volatile struct scaler_target target __weak;
const volatile bool read_while_recording __weak;

/* The time that counts; user space sets both ends a little ahead, so that every CPU knows in time. */
extern struct scaler_window window;
/* When calls are recorded; written by user space. */
extern struct scaler_call_window call_window;
extern __u64 losses[SCALER_LOSS_COUNTERS];
extern __u64 rows_held[SCALER_ROWS_COUNT];

static __always_inline void loss_count(enum scaler_loss cause)
{
	__sync_fetch_and_add(&losses[cause], 1);
}

static __always_inline void row_count(enum scaler_rows map)
{
	__sync_fetch_and_add(&rows_held[map], 1);
}

#endif
