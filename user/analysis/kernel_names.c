// SPDX-License-Identifier: GPL-2.0-only
/* The names of the kernel's own threads. */
#include "analysis/kernel_names.h"

#include <errno.h>

int kernel_names_make(const struct namings *namings, struct kernel_names *kernel)
{
	*kernel = (struct kernel_names){ 0 };
	for (size_t i = 0; i < namings->count; i++) {
		const struct thread_row *row = namings->items[i].row;

		if (row->is_kernel &&
		    distinct_add(&kernel->names, row->comm, SCALER_COMM_SIZE, SCALER_COMM_SIZE) == SIZE_MAX)
			return -ENOMEM;
	}
	return 0;
}

void kernel_names_clear(struct kernel_names *kernel)
{
	distinct_clear(&kernel->names);
}

bool kernel_names_have(const struct kernel_names *kernel, const char comm[SCALER_COMM_SIZE])
{
	return distinct_find(&kernel->names, comm, SCALER_COMM_SIZE, SCALER_COMM_SIZE) != SIZE_MAX;
}
