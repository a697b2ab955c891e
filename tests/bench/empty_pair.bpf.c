// SPDX-License-Identifier: GPL-2.0-only
/*
 * What any tracer of system calls costs at least: a program that does nothing at each end of a call.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

SEC("tp_btf/sys_enter")
int empty_enter(void *ctx)
{
	return 0;
}

SEC("tp_btf/sys_exit")
int empty_exit(void *ctx)
{
	return 0;
}
