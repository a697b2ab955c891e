// SPDX-License-Identifier: GPL-2.0-only
/* A library whose one function calls the next of a list. Built under several names, without frame pointers. */
typedef int chain_function(void *const *rest);

int CHAIN_NAME(void *const *rest)
{
	/* The sum keeps it from being a jump, which would leave no frame. */
	return ((chain_function *)rest[0])(rest + 1) + 1;
}
