// SPDX-License-Identifier: GPL-2.0-only
/* The reasons in words. */
#include "plan/plan_reason.h"

#include <stddef.h>

const char *plan_omission_text(enum plan_omission omission)
{
	switch (omission) {
	case PLAN_NOT_OMITTED:
		return NULL;
	case PLAN_ELSEWHERE:
		return "indirect, and stands for code outside of the file, such as the kernel's vdso";
	case PLAN_UNRESOLVED:
		return "indirect, and no process tells which function it stands for";
	case PLAN_REFUSED:
		return "the kernel does not probe its first instruction";
	case PLAN_MISTAKEN:
		return "the kernel would not execute its first instruction as what it is";
	case PLAN_GONE:
		return "its file cannot be opened any more";
	case PLAN_READ:
		return "a process reads or translates the code of its file, with the probes in it";
	case PLAN_OTHER_TRACER:
		return "another tracer may probe its return, which reaches into this program where it is "
		       "probed, too";
	}
	return NULL;
}

const char *plan_untimed_text(enum plan_untimed untimed)
{
	switch (untimed) {
	case PLAN_TIMED:
	case PLAN_NOT_ASKED:
		return NULL;
	case PLAN_LEAVES:
		return "may return twice, on another stack, or never";
	case PLAN_EXITS_UNKNOWN:
		return "where its code is left is not known";
	}
	return NULL;
}
