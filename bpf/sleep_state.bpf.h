/* SPDX-License-Identifier: GPL-2.0-only */
/* The bits of a task's state that tell kinds of sleep: include/linux/sched.h. */
#ifndef SCALER_SLEEP_STATE_BPF_H
#define SCALER_SLEEP_STATE_BPF_H

#define STATE_INTERRUPTIBLE   0x0001
#define STATE_UNINTERRUPTIBLE 0x0002
#define STATE_STOPPED         0x0004
#define STATE_TRACED          0x0008
#define STATE_WAKEKILL        0x0100
#define STATE_WAKING          0x0200 /* a waker is at work, the task can run */
#define STATE_FROZEN          0x8000 /* by the freezer of cgroup v1, or for a suspend; since Linux 6.1 */

#endif
