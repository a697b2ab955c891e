/* SPDX-License-Identifier: GPL-2.0-only */
/* Why library functions get no probes, or less than all that there are. */
#ifndef SCALER_PROBE_PLAN_REASON_H
#define SCALER_PROBE_PLAN_REASON_H

#include <stdbool.h>
#include <stdint.h>

/* Why a function gets no probe. */
enum plan_omission {
	PLAN_NOT_OMITTED,
	PLAN_ELSEWHERE,  /* an indirect function that stands for one in the kernel's vdso, or wherever */
	PLAN_UNRESOLVED, /* an indirect function, and no process tells where it is */
	PLAN_REFUSED, /* the kernel does not probe its first instruction, or its file; tried only to attach */
	PLAN_MISTAKEN, /* the kernel would probe its first instruction, and execute another in its place */
	PLAN_GONE,     /* its file cannot be opened any more; the same */
	PLAN_READ,     /* everywhere is asked for, and a process reads or translates the code of its file */
	PLAN_OTHER_TRACER, /* another has probes on it, which would do harm with ours; the same, or while it is recorded */
};

/* Why, in words, or NULL if nothing is omitted. */
const char *plan_omission_text(enum plan_omission omission);

/* Why calls of a function are counted and not timed. */
enum plan_untimed {
	PLAN_TIMED,
	PLAN_NOT_ASKED,       /* for any function's times */
	PLAN_EXITS_ASKED,     /* for times, but not for probes on returns */
	PLAN_LEAVES,          /* it returns twice, elsewhere, or never */
	PLAN_LOOKS_BACK,      /* it behaves by where it returns to */
	PLAN_PROCESS_UNWINDS, /* some calls, in a process where something may look through its frame */
	PLAN_PROCESS_UNKNOWN, /* some calls, in a process with code that moves its stacks, or cannot be read */
	PLAN_PROCESS_TRACED,  /* some calls, in a process that another one traces by ptrace */
	PLAN_PROCESS_NEW,    /* some calls, in a process with a file mapped that had not been looked at yet */
	PLAN_PROBES_CHANGED, /* some calls, while probes were taken out */
	PLAN_PROBED_BY_OTHERS, /* another tracer's probes on it would do harm with ours, where they are */
	PLAN_KERNEL_TOO_OLD,
};

/* How the end of calls is seen. */
enum plan_observation {
	PLAN_AT_RETURN, /* by a probe on the return, wherever that leads */
	PLAN_AT_EXITS,  /* by probes in the function's own code, where that leaves it */
	PLAN_AT_ENTRY,  /* not at all: calls are only counted */
	PLAN_OBSERVATIONS,
};

/* Of functions that are not timed at their return, for that reason: whether probes in their own code may see them end. */
bool plan_untimed_has_exits(enum plan_untimed untimed);

/* The reason that hazards give of return_hazard.h, for which some calls were not timed. */
enum plan_untimed plan_untimed_by(uint32_t hazards);

/* Why, in words, or NULL if nothing is to be said. */
const char *plan_untimed_text(enum plan_untimed untimed);

#endif
