// SPDX-License-Identifier: GPL-2.0-only
/* What any probe costs at least: a program that does nothing. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

SEC("uprobe")
int empty_probe(void *ctx)
{
	return 0;
}
