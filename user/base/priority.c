// SPDX-License-Identifier: GPL-2.0-only
/* Threads of the tracer whose work cannot wait. */
#include "base/priority.h"

#include <sys/resource.h>

#define MOST_FAVOURED (-20)

/* 0 is the calling thread, not its process. */
int priority_raise(void)
{
	int before = getpriority(PRIO_PROCESS, 0);

	setpriority(PRIO_PROCESS, 0, MOST_FAVOURED);
	return before;
}

void priority_restore(int nice_value)
{
	setpriority(PRIO_PROCESS, 0, nice_value);
}
