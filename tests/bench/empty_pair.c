// SPDX-License-Identifier: GPL-2.0-only
/* empty_pair: attaches the programs of empty_pair.bpf.c, prints "ready" and holds them until a signal ends it. */
#include <stdio.h>
#include <unistd.h>
#include "empty_pair.skel.h"

int main(void)
{
	struct empty_pair *pair = empty_pair__open_and_load();

	if (!pair || empty_pair__attach(pair))
		return 1;
	puts("ready");
	fflush(stdout);
	pause();
	return 1;
}
