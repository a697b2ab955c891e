// SPDX-License-Identifier: GPL-2.0-only
/* The names of interrupts. */
#include "target/interrupt_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_file.h"

static char *read_name(uint32_t number)
{
	FILE *file = kernel_file_read("/sys/kernel/irq/%" PRIu32 "/actions", number);
	char name[128], *got;

	if (!file)
		return NULL;
	got = fgets(name, sizeof(name), file);
	fclose(file);
	if (!got)
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	return *name ? strdup(name) : NULL;
}

const char *interrupt_device_name(struct number_names *names, uint32_t number)
{
	return number_names_find(names, number, read_name);
}
