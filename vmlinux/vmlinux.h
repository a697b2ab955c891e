/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel types that the BPF programs read, kept by hand: only the fields in use, in any order,
 * because preserve_access_index lets libbpf relocate each access to the running kernel's layout.
 * Types of the kernel's user-space interface come from its own headers.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include <linux/types.h>
#include <linux/bpf.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
typedef _Bool bool;
typedef __s32 pid_t;

#define false 0
#define true  1

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
	unsigned long orig_ax;
	unsigned long ip;
	unsigned long flags;
	unsigned long sp;
};
#endif

#if defined(__TARGET_ARCH_arm64)
struct pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 orig_x0;
	s32 syscallno;
};

struct user_pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
};
#endif

enum syscall_work_bit {
	SYSCALL_WORK_BIT_SYSCALL_USER_DISPATCH = 6,
};

struct thread_info {
	unsigned long flags;
	unsigned long syscall_work; /* since 5.11, bits of enum syscall_work_bit; on arm64 later */
	u32 status;
};

struct rq;
struct irqaction;
struct pool_workqueue;

struct work_struct {
	void (*func)(struct work_struct *work);
};
struct timer_list;
struct hrtimer;

struct rq {
	u64 clock;
	u64 clock_task;
	u64 clock_pelt;
};

struct cfs_rq {
	struct rq *rq;
	u64 throttled_clock_self;
	u64 throttled_clock_self_time;
};

/* Before 6.6 (commit 677ea015f231, "sched: add throttled time stat for throttled children"). */
struct cfs_rq___before_6_6 {
	u64 throttled_clock_pelt;
	u64 throttled_clock_pelt_time;
	int throttle_count;
};

/* Before 5.19 (commit 64eaf50731ac, "sched/fair: Fix cfs_rq_clock_pelt() for throttled cfs_rq"). */
struct cfs_rq___before_5_19 {
	u64 throttled_clock_task;
	u64 throttled_clock_task_time;
	int throttle_count;
};

struct sched_entity {
	u64 sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct in6_addr {
	u8 bytes[16];
};

struct ns_common {
	unsigned int inum;
};

struct net {
	struct ns_common ns;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct net_device {
	unsigned int flags;
	possible_net_t nd_net;
};

struct sk_buff {
	struct net_device *dev;
	u16 protocol;
	u16 network_header;
	unsigned char *head;
};

struct sock_common {
	u32 skc_daddr;
	u32 skc_rcv_saddr;
	u16 skc_dport;
	u16 skc_num;
	unsigned short skc_family;
	possible_net_t skc_net;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
};

struct sk_buff_head {
	u32 qlen;
};

struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_receive_queue;
	u32 sk_ack_backlog;
	u8 sk_shutdown;
	u16 sk_type;
	u16 sk_protocol;
	struct socket *sk_socket;
};

struct unix_address;

struct unix_sock {
	struct unix_address *addr;
	struct sock *peer;
};

struct socket {
	struct sock *sk;
};

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
};

struct inode {
	unsigned short i_mode;
	struct super_block *i_sb;
	unsigned long i_ino;
	u32 i_rdev;
	u32 i_generation;
};

struct socket_alloc {
	struct socket socket;
	struct inode vfs_inode;
};

struct pipe_inode_info {
	unsigned int head;
	unsigned int tail;
	unsigned int writers;
};

struct eventfd_ctx {
	u64 count;
	int id;
};

struct list_head {
	struct list_head *next;
};

struct eventpoll {
	struct list_head rdllist;
};

struct epoll_filefd {
	struct file *file;
	int fd;
};

struct epitem {
	struct list_head rdllink;
	struct epoll_filefd ffd;
};

struct qstr {
	u64 hash_len;
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
};

struct vfsmount {
	struct dentry *mnt_root;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct fs_struct {
	struct path root;
};

struct file {
	void *private_data;
	struct inode *f_inode;
	struct path f_path;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_end;
	struct mm_struct *vm_mm;
	unsigned long vm_pgoff;
	unsigned long vm_flags;
	struct file *vm_file;
};

struct maple_tree {
	void *ma_root;
};

struct maple_range_64 {
	unsigned long pivot[15];
	void *slot[16];
};

struct maple_arange_64 {
	unsigned long pivot[9];
	void *slot[10];
};

struct return_instance {
	unsigned long stack;
	unsigned long orig_ret_vaddr;
	struct return_instance *next;
};

struct uprobe_task {
	struct return_instance *return_instances;
	unsigned long vaddr;
	unsigned long xol_vaddr;
};

struct xol_area {
	unsigned long vaddr;
};

struct uprobes_state {
	struct xol_area *xol_area;
};

struct rw_semaphore {
	struct {
		long counter;
	} count;
};

typedef struct seqcount {
	unsigned int sequence;
} seqcount_t;

struct mm_struct {
	struct maple_tree mm_mt;
	struct rw_semaphore mmap_lock;
	seqcount_t mm_lock_seq;
	int map_count;
	unsigned long total_vm;
	unsigned long exec_vm;
	unsigned long start_stack;
	struct uprobes_state uprobes_state;
	struct {
		void *vdso;
	} context;
	unsigned long saved_auxv[4];
	struct file *exe_file;
};

struct mm_struct___before_6_13 {
	int mm_lock_seq;
};

struct upid {
	int nr;
	struct pid_namespace *ns;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

struct kernfs_node {
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup {
	struct cgroup_subsys_state self;
	struct kernfs_node *kn;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

typedef struct {
	unsigned int val;
} kuid_t;

struct user_namespace {
	struct user_namespace *parent;
	int level;
	kuid_t owner;
};

struct cred {
	kuid_t uid;
	struct user_namespace *user_ns;
};

struct thread_struct {
	unsigned long fsbase;
};

/* The first 64 signals; the rest are of other architectures. */
typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	sigset_t signal;
};

struct signal_struct {
	struct sigpending shared_pending;
};

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

struct io_uring_task {
	struct file *registered_rings[16];
	struct llist_head task_list;
};

struct io_ring_ctx {
	struct llist_head work_llist;
};

struct io_task_work {
	struct llist_node node;
};

struct io_wq_work {
	int cancel_seq;
};

struct io_worker {
	struct io_wq_work *cur_work;
};

struct io_kiocb {
	struct file *file;
	struct io_ring_ctx *ctx;
	struct io_task_work io_task_work;
	struct io_wq_work work;
};

struct timespec64 {
	s64 tv_sec;
	long tv_nsec;
};

struct timens_offsets {
	struct timespec64 monotonic;
	struct timespec64 boottime;
};

struct time_namespace {
	struct timens_offsets offsets;
};

struct nsproxy {
	struct time_namespace *time_ns;
};

struct task_struct {
	struct thread_info thread_info;
	struct thread_struct thread;
	struct mm_struct *mm;
	struct uprobe_task *utask;
	struct files_struct *files;
	struct io_uring_task *io_uring;
	void *worker_private;
	unsigned int __state;
	unsigned int flags;
	int on_cpu;
	unsigned int personality;
	unsigned int ptrace;
	unsigned int in_iowait : 1;
	unsigned int frozen : 1; /* if there are cgroups, as is the next of them */
	unsigned long jobctl;
	struct sched_entity se;
	int nr_cpus_allowed;
	unsigned long nvcsw;
	u64 start_boottime;
	const struct cred *real_cred;
	struct signal_struct *signal;
	sigset_t blocked;
	struct sigpending pending;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	struct pid *thread_pid;
	struct css_set *cgroups;
	struct fs_struct *fs;
	struct nsproxy *nsproxy;
	char comm[16];
};

/* Before 5.14 (commit 2f064a59a11f, "sched: Change task_struct::state"). */
struct task_struct___before_5_14 {
	long state;
};

struct gendisk {
	int major;
	int first_minor;
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	u32 cmd_flags;
	u64 __sector;
	u64 start_time_ns;
};

/* Before 5.17 (commit f3fa33acca9f, "block: remove the ->rq_disk field in struct request"). */
struct request___before_5_17 {
	struct gendisk *rq_disk;
};

struct bpf_map {
	u32 id;
};

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
	u64 session_id;
	u64 seq_num;
};

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

struct bpf_perf_event_data {
	struct pt_regs regs;
};

#pragma clang attribute pop

struct bpf_task_work {
	u64 opaque;
} __attribute__((aligned(8)));

#endif
