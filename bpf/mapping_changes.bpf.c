// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes whose mappings change while probes follow them. Code is to get probes. But who maps the code of a probed file
 * not to run it there would read breakpoints, which the kernel puts into all private mappings of a file that cannot be
 * written to: an event makes user space take them out, and the thread is held until it has. All this is seen as the lock of
 * a process's mappings is let go, so that other system calls cost nothing.
 */
#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <asm/mman.h>
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <scaler/library.h>
#include "compat.bpf.h"
#include "address_space.bpf.h"
#include "component.bpf.h"
#include "descriptor.bpf.h"
#include "hash_map.bpf.h"
#include "numbers.bpf.h"
#include "process_events.bpf.h"
#include "site.bpf.h"
#include "task_state.bpf.h"

/* User space fills them in. A process has the number that user space sees; what is said of it is enum scaler_probing. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, SCALER_PROBED_PLACES);
	__type(key, u32);
	__type(value, u64);
} probed_places SEC(".maps");

HASH_MAP(65536, struct scaler_file_key, struct scaler_probed_file) probed_files SEC(".maps");

HASH_MAP(65536, u32, u32) probed_processes SEC(".maps");

/* A mapping that may have breakpoints in it. */
struct read_mapping {
	u64 start;
	u64 end;
	u64 offset; /* in the file */
	struct scaler_file_key file;
};

/* A thread is looked at by one of a pair in turns, because work that is being done cannot be asked for. */
struct held_reader {
	struct bpf_task_work work;
	u64 until_ns; /* at the latest */
	u64 thread;   /* its number */
	struct read_mapping mapping;
};

#define READER_PAIRS 64
/* If nobody takes them out. */
#define READER_HELD_NS 10000000000

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 2 * READER_PAIRS);
	__type(key, u32);
	__type(value, struct held_reader);
} held_readers SEC(".maps");

/*
 * Calls the function in that task before it is back in user space. Linux 6.18 (commit 38aa7003e369, "bpf: task work
 * scheduling kfuncs").
 */
extern int bpf_task_work_schedule_resume_impl(struct task_struct *task, struct bpf_task_work *work, void *map,
					      int (*function)(struct bpf_map *map, void *key, void *value),
					      void *unused) __ksym __weak;

struct reader_look {
	const struct read_mapping *mapping;
	const struct scaler_probed_file *file;
	bool sees_probe;
};

static long reader_look_at(u32 index, struct reader_look *look)
{
	u32 key = look->file->first + index;
	const u64 *place = bpf_map_lookup_elem(&probed_places, &key);
	u64 offset, address;
	u8 byte;

	if (!place || index >= look->file->count)
		return 1;
	offset = *place >> 8;
	address = look->mapping->start + offset - look->mapping->offset;
	if (offset < look->mapping->offset || address >= look->mapping->end)
		return 0;
	/* Where there is one the page is there. */
	look->sees_probe = !bpf_probe_read_user(&byte, sizeof(byte), (void *)address) && byte != (u8)*place;
	return look->sees_probe;
}

static __always_inline u32 probing_of(struct task_struct *task)
{
	u32 number = process_number(task);
	const u32 *probing = bpf_map_lookup_elem(&probed_processes, &number);

	return probing ? *probing : 0;
}

/* Not static: the verifier looks at it alone. */
__noinline bool reader_sees_probe(const struct read_mapping *mapping)
{
	struct reader_look look = { .mapping = mapping };
	struct scaler_file_key key;

	if (!mapping)
		return false;
	key = mapping->file;
	look.file = bpf_map_lookup_elem(&probed_files, &key);
	if (!look.file)
		return false;
	if (probing_of(bpf_get_current_task_btf()) & SCALER_PROBES_ATTACHED)
		return true;
	bpf_loop(SCALER_PROBED_PLACES_OF_FILE, reader_look_at, &look, 0);
	return look.sees_probe;
}

static long mapping_read(struct task_struct *task, struct vm_area_struct *vma, void *context)
{
	struct file *file = BPF_CORE_READ(vma, vm_file);
	struct read_mapping *mapping = context;

	if (!file)
		return 0;
	file_key_read(&mapping->file, file);
	mapping->start = BPF_CORE_READ(vma, vm_start);
	mapping->end = BPF_CORE_READ(vma, vm_end);
	mapping->offset = BPF_CORE_READ(vma, vm_pgoff) << page_shift;
	return 0;
}

/*
 * What the call has mapped that the current task is about to return from: 0, -ENOENT: no file, or -EBUSY: it cannot be
 * looked at, because others are changing its mappings, as who puts probes in does. Not static, as above.
 */
__noinline int reader_find_mapping(struct read_mapping *mapping)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	long result = (long)PT_REGS_RC(regs), err;
	struct read_mapping found = {};

	if (!mapping || result <= 0)
		return -ENOENT;
	err = bpf_find_vma(task, result, mapping_read, &found, 0);
	if (err)
		return err == -EBUSY ? -EBUSY : -ENOENT;
	*mapping = found;
	return found.file.inode ? 0 : -ENOENT;
}

static __always_inline bool reader_goes_on(struct held_reader *reader)
{
	int err = reader->mapping.file.inode ? 0 : reader_find_mapping(&reader->mapping);

	if (bpf_ktime_get_ns() >= reader->until_ns)
		return true;
	return err ? err != -EBUSY : !reader_sees_probe(&reader->mapping);
}

static int reader_hold(struct bpf_map *map, u32 *key, struct held_reader *reader)
{
	u32 other = *key ^ 1;
	struct held_reader *next;

	if (reader_goes_on(reader)) {
		reader->until_ns = 0;
		return 0;
	}
	next = bpf_map_lookup_elem(&held_readers, &other);
	if (!next)
		return 0;
	next->mapping = reader->mapping;
	next->until_ns = reader->until_ns;
	reader->until_ns = 0;
	bpf_task_work_schedule_resume_impl(bpf_get_current_task_btf(), &next->work, &held_readers,
					   (void *)reader_hold, NULL);
	return 0;
}

/* Returns 1 to look for another pair. */
static __noinline int reader_take_pair(struct task_struct *task, u32 pair)
{
	u32 key = pair % READER_PAIRS * 2, other = key + 1;
	struct held_reader *reader = bpf_map_lookup_elem(&held_readers, &key);
	struct held_reader *next = bpf_map_lookup_elem(&held_readers, &other);
	u64 now_ns = bpf_ktime_get_ns(), thread = (u64)task->pid;

	if (!reader || !next)
		return 0;
	/* One call may let go of the lock more than once. */
	if (reader->until_ns > now_ns || next->until_ns > now_ns)
		return reader->thread != thread;
	/* What it is, the result of the call tells, which goes on. */
	__builtin_memset(&reader->mapping, 0, sizeof(reader->mapping));
	reader->thread = thread;
	reader->until_ns = now_ns + READER_HELD_NS;
	bpf_task_work_schedule_resume_impl(task, &reader->work, &held_readers, (void *)reader_hold, NULL);
	return 0;
}

#define READER_PAIRS_TRIED 8

/* If there is a pair that nobody else uses. */
static __noinline void reader_begin_hold(struct task_struct *task)
{
	for (u32 i = 0; i < READER_PAIRS_TRIED; i++) {
		if (!reader_take_pair(task, (u32)task->pid + i))
			return;
	}
}

#define MAPPED_PRIVATELY 2 /* include/uapi/linux/mman.h: MAP_PRIVATE */
/* glibc's dynamic linker asks for it, which Linux ignores, also before it maps code over what it has mapped first. */
#define MAPPED_BY_LINKER MAP_DENYWRITE

/* In a call. */
static __always_inline bool call_maps_to_read(u8 abi, struct pt_regs *regs)
{
	return abi == SCALER_ABI_NATIVE && call_number(regs) == __NR_mmap &&
	       !(call_argument(regs, 2) & PROT_WRITE) &&
	       (call_argument(regs, 3) & (MAP_TYPE | MAP_ANONYMOUS)) == MAPPED_PRIVATELY;
}

/* Whether what a call maps by a descriptor of the current task has probes, or may have: what is mapped decides. */
static __noinline bool call_maps_probed_file(struct pt_regs *regs)
{
	struct scaler_file_key key = {};
	struct file *file;

	if (!regs)
		return false;
	file = (struct file *)descriptor_own_file(call_argument(regs, 4));
	if (!file)
		return false;
	if (file_is_of_overlay(file))
		return true;
	file_key_read(&key, file);
	return bpf_map_lookup_elem(&probed_files, &key);
}

/* A program that no dynamic linker loads has none in its auxiliary vector: pairs of words, the end's first is 0. */
static __noinline bool task_has_linker(struct task_struct *task)
{
	struct mm_struct *mm = BPF_CORE_READ(task, mm);
	void *vector = (void *)mm + bpf_core_field_offset(mm->saved_auxv);
	u64 pair[2];

	for (int i = 0; i < 32; i++) {
		if (bpf_probe_read_kernel(pair, sizeof(pair), vector + i * sizeof(pair)) || !pair[0])
			break;
		if (pair[0] == AT_BASE)
			return pair[1];
	}
	return true;
}

static __noinline bool code_is_read(struct task_struct *task, struct pt_regs *regs)
{
	if (probing_of(task) & SCALER_PROBES_REFUSED)
		return true;
	if (call_argument(regs, 3) & MAPPED_BY_LINKER)
		return false;
	return !(call_argument(regs, 2) & PROT_EXEC) || !task_has_linker(task);
}

static __always_inline void mapping_to_read_look(struct task_struct *task, struct pt_regs *regs, u8 abi,
						 bool holds)
{
	if (!call_maps_to_read(abi, regs) || !call_maps_probed_file(regs) || !code_is_read(task, regs))
		return;
	process_event_send(task, SCALER_PROCESS_READS);
	if (holds)
		reader_begin_hold(task);
}

/*
 * The number of the file that a call maps code of: by the address that is asked for, as dynamic linkers do. It stays known
 * when the mapping is gone, which may be before user space has looked.
 */
static __noinline u32 mapped_component(struct task_struct *task, struct pt_regs *regs)
{
	struct vm_area_struct *mapping = NULL;
	struct scaler_component_key key = {};
	struct inode *inode;

	if (regs && kernel_has_mapping_tree() && call_argument(regs, 0))
		mapping = mapping_find(task, call_argument(regs, 0));
	inode = mapping ? BPF_CORE_READ(mapping, vm_file, f_inode) : NULL;
	if (!inode)
		return SCALER_COMPONENT_NONE;
	component_key_of_file(&key, inode);
	return component_number(&key, task, mapping, is_executed(task, inode));
}

/* The current task has changed some mapping. */
static __always_inline void mappings_changed(struct mm_struct *mm, bool holds)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct task_state *state;
	u64 key = task_address_space(task);
	long number = call_number(regs);
	u8 abi;

	/* What a program begins with, its execve says. */
	if (number < 0 || number == __NR_execve || number == __NR_execveat || (u64)mm != key)
		return;
	abi = task_call_abi(task);
	state = task_state_find(task);
	if (call_maps_code(task, abi, regs) &&
	    ((state && !state->dormant) || bpf_map_lookup_elem(&address_spaces, &key)))
		address_space_changed(key);
	if (!state || state->dormant)
		return;
	if (call_maps_code(task, abi, regs) && call_maps_file(abi, regs))
		process_event_send_code(task, SCALER_PROCESS_MAPPED, mapped_component(task, regs));
	mapping_to_read_look(task, regs, abi, holds);
}

/* One of these is loaded, where probes follow. The lock has been let go, the call is still there. */

SEC("?tp_btf/mmap_lock_released")
int BPF_PROG(scaler_mappings_held, struct mm_struct *mm)
{
	mappings_changed(mm, true);
	return 0;
}

SEC("?tp_btf/mmap_lock_released")
int BPF_PROG(scaler_mappings_told, struct mm_struct *mm)
{
	mappings_changed(mm, false);
	return 0;
}
