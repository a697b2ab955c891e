// SPDX-License-Identifier: GPL-2.0-only
#include "base/kernel_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t kernel_field(const char *path, const char *name, int base)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(name);
	uint64_t value = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, name, length) && line[length] == ':') {
			value = strtoull(line + length + 1, NULL, base);
			break;
		}
	}
	if (file)
		fclose(file);
	return value;
}
