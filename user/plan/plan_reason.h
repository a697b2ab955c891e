/* SPDX-License-Identifier: GPL-2.0-only */
/* Why library functions get no probes, or less than all that there are. */
#ifndef SCALER_PLAN_PLAN_REASON_H
#define SCALER_PLAN_PLAN_REASON_H

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
	PLAN_NOT_ASKED,     /* for any function's times */
	PLAN_LEAVES,        /* it returns twice, elsewhere, or never */
	PLAN_EXITS_UNKNOWN, /* its code does not show, or not yet, where its calls end */
};

/* Why, in words, or NULL if nothing is to be said. */
const char *plan_untimed_text(enum plan_untimed untimed);

#endif
