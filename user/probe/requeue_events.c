// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracepoint of the one system call that moves threads from one futex to another. Not by libbpf, which reads its number
 * only where tracefs is mounted.
 */
#include "probe/requeue_events.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include "base/log.h"
#include "base/tracefs.h"
#include "probe/recorder.h" /* the types of what the skeleton has */
#include "scaler.skel.h"

#define EVENT "syscalls/sys_enter_futex"

/* The program runs on every CPU, whichever the event is on. */
static int attach(struct scaler_skeleton *skeleton)
{
	struct perf_event_attr attributes = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(attributes) };
	int number = tracefs_event_number(EVENT), event;

	if (number < 0)
		return number;
	attributes.config = (uint64_t)number;
	event = (int)syscall(SYS_perf_event_open, &attributes, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	skeleton->links.scaler_requeue =
		bpf_program__attach_perf_event(skeleton->progs.scaler_requeue, event);
	if (skeleton->links.scaler_requeue)
		return 0;
	close(event);
	return -errno;
}

void requeue_events_attach(struct scaler_skeleton *skeleton)
{
	int err = bpf_program__autoload(skeleton->progs.scaler_requeue) ? attach(skeleton) : 0;

	if (err)
		log_note("cannot attach to the tracepoint %s: %s; waits that a condition variable moves to "
			 "its "
			 "mutex are shown on the condition variable",
			 EVENT, strerror(-err));
}
