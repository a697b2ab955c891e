// SPDX-License-Identifier: GPL-2.0-only
/*
 * site_static COUNT [PROGRAM WORD...]: COUNT calls of getppid, then becomes PROGRAM. Linked statically to
 * fixed addresses under two names, so that after the execve other code is at the same address.
 */
#include <stdlib.h>
#include <unistd.h>

#include "site_library.c"

int main(int argc, char **argv)
{
	SITE_NAME(atoi(argv[1]));
	if (argc > 2)
		execv(argv[2], argv + 2);
	return 0;
}
