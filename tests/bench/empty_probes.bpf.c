// SPDX-License-Identifier: GPL-2.0-only
/* What any probe on a function's entry and return costs at least: a program that does nothing at each. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

SEC("uprobe")
int empty_session(void *ctx)
{
	return 0;
}
