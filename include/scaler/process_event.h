/* SPDX-License-Identifier: GPL-2.0-only */
/* That a traced process may have other code than it had, in the order in which it happens. */
#ifndef SCALER_PROCESS_EVENT_H
#define SCALER_PROCESS_EVENT_H

#include <linux/types.h>

enum scaler_process_event_kind {
	SCALER_PROCESS_BEGAN, /* it was created, or is traced from now on; its number may have been another's */
	SCALER_PROCESS_EXECUTES, /* another program */
	SCALER_PROCESS_MAPPED,   /* a file's code */
	SCALER_PROCESS_READS,    /* it has mapped a file with probes, not to run it */
};

struct scaler_process_event {
	__u64 when_ns;   /* CLOCK_MONOTONIC */
	__u32 pid;       /* as user space sees it */
	__u32 kind;      /* enum scaler_process_event_kind */
	__u32 component; /* of code that was mapped the file's number: component.h; 0: not known */
	__u32 zero;
};

#endif
