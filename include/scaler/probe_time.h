/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Takes what probes cost out of the time of calls. Between the clock's readings at a call's entry and at its return lies
 * a part of what its own two probes take, and all that those of the calls take that it makes.
 */
#ifndef SCALER_PROBE_TIME_H
#define SCALER_PROBE_TIME_H

#include <scaler/record.h>

/*
 * Leaves of a call's time what it would have taken without probes that took so much of its running time. What probes take
 * is reckoned, so that no less is left than what was left of the calls that it made, inner, and the time that the thread
 * did not run besides. Returns what was taken out.
 */
static inline __u64 scaler_take_out_probes(struct scaler_times *call, const struct scaler_times *inner,
					   __u64 probes_ns)
{
	__u64 waited_ns = call->runnable_ns + call->blocked_ns,
	      inner_waited_ns = inner->runnable_ns + inner->blocked_ns, least_ns = inner->total_ns, most_ns;

	if (waited_ns > inner_waited_ns)
		least_ns += waited_ns - inner_waited_ns;
	most_ns = call->total_ns > least_ns ? call->total_ns - least_ns : 0;
	if (probes_ns > most_ns)
		probes_ns = most_ns;
	call->total_ns -= probes_ns;
	return probes_ns;
}

#endif
