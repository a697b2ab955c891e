// SPDX-License-Identifier: GPL-2.0-only
/* The reasons in words. */
#include "probe/plan_reason.h"

#include <stddef.h>

#include <scaler/return_hazard.h>

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
		return "another tracer probes it too, perhaps its return, which reaches into this program "
		       "and may "
		       "break it";
	}
	return NULL;
}

enum plan_untimed plan_untimed_by(uint32_t hazards)
{
	if (hazards & (SCALER_RETURN_UNWINDS | SCALER_RETURN_CANCELS))
		return PLAN_PROCESS_UNWINDS;
	if (hazards & SCALER_RETURN_ANYWHERE)
		return PLAN_PROCESS_UNKNOWN;
	if (hazards & SCALER_RETURN_TRACED)
		return PLAN_PROCESS_TRACED;
	if (hazards & SCALER_RETURN_UNKNOWN)
		return PLAN_PROCESS_NEW;
	return hazards ? PLAN_PROBES_CHANGED : PLAN_TIMED;
}

const char *plan_untimed_text(enum plan_untimed untimed)
{
	switch (untimed) {
	case PLAN_TIMED:
	case PLAN_NOT_ASKED:
		return NULL;
	case PLAN_EXITS_ASKED:
		return "as --returns asks";
	case PLAN_LEAVES:
		return "may return twice, on another stack, or never";
	case PLAN_LOOKS_BACK:
		return "looks at where it returns to";
	case PLAN_PROCESS_UNWINDS:
		return "a process that shares its probes may unwind stacks through it, which one on its "
		       "return would "
		       "break";
	case PLAN_PROCESS_UNKNOWN:
		return "a process that shares its probes moves its stacks, or has code mapped that cannot be "
		       "read";
	case PLAN_PROCESS_TRACED:
		return "another process traces one that shares its probes by ptrace, and would see one on "
		       "its return";
	case PLAN_PROCESS_NEW:
		return "its process had just mapped a file, which was not looked at yet";
	case PLAN_PROBES_CHANGED:
		return "other probes were being taken out just then";
	case PLAN_PROBED_BY_OTHERS:
		return "another tracer probes it too, in a program that a probe on its return may break";
	case PLAN_KERNEL_TOO_OLD:
		return "returns are probed from Linux 6.14 on, on x86-64";
	}
	return NULL;
}

bool plan_untimed_has_exits(enum plan_untimed untimed)
{
	switch (untimed) {
	case PLAN_EXITS_ASKED:
	case PLAN_LOOKS_BACK:
	case PLAN_PROCESS_UNWINDS:
	case PLAN_PROCESS_UNKNOWN:
	case PLAN_PROCESS_TRACED:
	case PLAN_PROBED_BY_OTHERS:
	case PLAN_KERNEL_TOO_OLD:
		return true;
	default:
		return false;
	}
}
