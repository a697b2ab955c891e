// SPDX-License-Identifier: GPL-2.0-only
/* A program that has what Go's linker leaves in its programs, and sleeps so often: go_noted COUNT. */
#include <stdlib.h>
#include <unistd.h>

__asm__(".pushsection .note.go.buildid, \"a\", @note\n"
	".long 4, 4, 4\n"
	".ascii \"Go\\0\\0id\\0\\0\"\n"
	".popsection\n");

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? atoi(argv[1]) : 1; i; i--)
		usleep(1);
	return 0;
}
