/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kind of object a file descriptor of a task stands for, from its struct file.
 */
#ifndef SCALER_DESCRIPTOR_BPF_H
#define SCALER_DESCRIPTOR_BPF_H

#include <vmlinux.h>
#include <bpf/bpf_core_read.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <scaler/record.h>
#include "compat.bpf.h"
#include "file_key.bpf.h"
#include "socket.bpf.h"

#define SCALER_MINORBITS 20 /* include/linux/kdev_t.h */

/* The first seven characters of a name and a NUL, as one little-endian word. */
#define NAME_WORD(a, b, c, d, e, f, g)                                                                       \
	((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 | (u64)(f) << 40 |      \
	 (u64)(g) << 48)

/* Anonymous inodes have no type of their own; their name is that of their only dentry. */
static __always_inline u8 descriptor_of_anonymous(struct file *file)
{
	u64 name = 0;

	bpf_probe_read_kernel_str(&name, sizeof(name), BPF_CORE_READ(file, f_path.dentry, d_name.name));
	switch (name) {
	case NAME_WORD('[', 'e', 'v', 'e', 'n', 't', 'f'):
		return SCALER_DESCRIPTOR_EVENTFD;
	case NAME_WORD('[', 'e', 'v', 'e', 'n', 't', 'p'):
		return SCALER_DESCRIPTOR_EPOLL;
	case NAME_WORD('[', 't', 'i', 'm', 'e', 'r', 'f'):
		return SCALER_DESCRIPTOR_TIMERFD;
	case NAME_WORD('[', 's', 'i', 'g', 'n', 'a', 'l'):
		return SCALER_DESCRIPTOR_SIGNALFD;
	case NAME_WORD('i', 'n', 'o', 't', 'i', 'f', 'y'):
		return SCALER_DESCRIPTOR_INOTIFY;
	case NAME_WORD('[', 'i', 'o', '_', 'u', 'r', 'i'):
		return SCALER_DESCRIPTOR_IO_URING;
	}
	return SCALER_DESCRIPTOR_OTHER;
}

static __always_inline bool is_terminal(u32 device)
{
	u32 major = device >> SCALER_MINORBITS;

	/* Documentation/admin-guide/devices.txt: virtual consoles and serial, /dev/tty, Unix98. */
	return major == 4 || major == 5 || (major >= 136 && major <= 143);
}

static __always_inline u8 descriptor_of_socket(struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	u16 family = BPF_CORE_READ(socket, sk, __sk_common.skc_family);

	return family == SCALER_AF_UNIX ? SCALER_DESCRIPTOR_UNIX : SCALER_DESCRIPTOR_SOCKET;
}

static __always_inline u8 descriptor_of_file(struct file *file)
{
	struct inode *inode = BPF_CORE_READ(file, f_inode);
	u16 mode = BPF_CORE_READ(inode, i_mode);

	switch (mode & S_IFMT) {
	case S_IFSOCK:
		return descriptor_of_socket(file);
	case S_IFIFO:
		return SCALER_DESCRIPTOR_PIPE;
	case S_IFCHR:
		return is_terminal(BPF_CORE_READ(inode, i_rdev)) ? SCALER_DESCRIPTOR_TTY :
								   SCALER_DESCRIPTOR_CHARACTER;
	case S_IFBLK:
		return SCALER_DESCRIPTOR_BLOCK;
	case S_IFDIR:
		return SCALER_DESCRIPTOR_DIRECTORY;
	case S_IFREG: /* anonymous ones too since 6.16 (cfd86ef7e8e7, "use a proper mode internally") */
	case 0:
		if (BPF_CORE_READ(inode, i_sb, s_magic) == ANON_INODE_FS_MAGIC)
			return descriptor_of_anonymous(file);
		return mode & S_IFMT ? SCALER_DESCRIPTOR_REGULAR : SCALER_DESCRIPTOR_OTHER;
	}
	return SCALER_DESCRIPTOR_OTHER;
}

/* What descriptor_own_file() finds, of any task. Here pointers are followed by reading memory, for the reason that site.bpf.h gives. */
static __noinline u64 descriptor_file_of(struct task_struct *task, u32 fd)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file *file = NULL;

	if (fd < BPF_CORE_READ(table, max_fds))
		bpf_probe_read_kernel(&file, sizeof(file), BPF_CORE_READ(table, fd) + fd);
	return (u64)file;
}

static __always_inline struct file *descriptor_file(struct task_struct *task, u32 fd)
{
	return (struct file *)(task == bpf_get_current_task_btf() ? descriptor_own_file(fd) :
								    descriptor_file_of(task, fd));
}

/* Set by user space before loading: by native call number, enum scaler_first_argument. */
const volatile __u8 first_arguments[SCALER_CALL_NUMBERS] __weak = {};

static __always_inline enum scaler_first_argument call_first_is(u8 abi, u64 number)
{
	/* The verifier wants the check on the register that indexes. */
	barrier_var(number);
	return abi == SCALER_ABI_NATIVE && number < SCALER_CALL_NUMBERS ? first_arguments[number] :
									  SCALER_FIRST_OTHER;
}

static __always_inline u8 call_descriptor(struct task_struct *task, struct pt_regs *regs, u8 abi, u64 number)
{
	struct file *file;

	if (call_first_is(abi, number) != SCALER_FIRST_REFINES)
		return SCALER_DESCRIPTOR_NONE;
	file = descriptor_file(task, call_argument(regs, 0));
	return file ? descriptor_of_file(file) : SCALER_DESCRIPTOR_BAD;
}

#endif
