// SPDX-License-Identifier: GPL-2.0-only
/* The names of block devices. */
#include "target/block_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *read_name(uint32_t device)
{
	char path[64], target[512];
	ssize_t length;
	char *name;

	snprintf(path, sizeof(path), "/sys/dev/block/%" PRIu32 ":%" PRIu32, device >> 20, device & 0xfffff);
	length = readlink(path, target, sizeof(target) - 1);
	if (length <= 0)
		return NULL;
	target[length] = '\0';
	name = strrchr(target, '/');
	return name ? strdup(name + 1) : NULL;
}

const char *block_device_name(struct number_names *names, uint32_t device)
{
	return number_names_find(names, device, read_name);
}
