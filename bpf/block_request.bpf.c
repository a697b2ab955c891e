// SPDX-License-Identifier: GPL-2.0-only
/* Follows requests to block devices. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "block_request.bpf.h"

SEC("?tp_btf/block_rq_issue")
int BPF_PROG(scaler_request_issue, struct request *request)
{
	u64 key = (u64)request, now_ns = bpf_ktime_get_ns();

	bpf_map_update_elem(&issued_requests, &key, &now_ns, BPF_ANY);
	return 0;
}

SEC("?tp_btf/block_rq_complete")
int BPF_PROG(scaler_request_complete, struct request *request, int error, unsigned int bytes)
{
	struct interrupts *now = interrupts_get();

	if (now)
		request_complete(now, request, bytes);
	return 0;
}
