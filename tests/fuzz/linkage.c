// SPDX-License-Identifier: GPL-2.0-only
/* Dynamic symbols that lie; half of the changes are in the program headers and in the first tables behind them. */
#include "changed_file.h"
#include "elf/linkage.h"

#define PART_SIZE 2048

static void prepare(void)
{
	changed_file_read(&file, LIBRARY);
	file.part_size = PART_SIZE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = changed_file_open(&file, data, size);
	struct linkage linkage;
	size_t names = 0;

	linkage_read(&linkage, fd);
	close(fd);
	for (size_t i = 0; i < linkage.export_count; i++) {
		const struct linkage_export *function = &linkage.exports[i];

		names += strlen(function->name) + strlen(function->version);
		if (!linkage_is_code(&linkage, function->address ?: function->resolver))
			abort();
	}
	for (size_t i = 0; i < linkage.import_count; i++)
		names += strlen(linkage.imports[i].name) + strlen(linkage.imports[i].version);
	linkage_clear(&linkage);
	return names > SIZE_MAX / 2;
}
