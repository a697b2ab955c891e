// SPDX-License-Identifier: GPL-2.0-only
/* What waits refer to by number. */
#include "model/wait_things.h"

#include <errno.h>
#include <stdlib.h>

int wait_things_reserve(struct wait_things *things, size_t sites, size_t others)
{
	things->sites = calloc(sites + 1, sizeof(*things->sites));
	things->disks = calloc(others + 1, sizeof(*things->disks));
	things->interrupts = calloc(others + 1, sizeof(*things->interrupts));
	return things->sites && things->disks && things->interrupts ? 0 : -ENOMEM;
}

void wait_things_clear(struct wait_things *things)
{
	free(things->sites);
	free(things->disks);
	free(things->interrupts);
	*things = (struct wait_things){ 0 };
}
