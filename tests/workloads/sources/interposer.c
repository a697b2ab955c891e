// SPDX-License-Identifier: GPL-2.0-only
/* A library to be preloaded: its first_leaf() comes before libedges_first.so's, which it calls. */
#include <dlfcn.h>

void first_leaf(void);
void first_leaf(void)
{
	static void (*next)(void);

	if (!next)
		next = (void (*)(void))dlsym(RTLD_NEXT, "first_leaf");
	next();
	__asm__ volatile(""); /* no tail call */
}
