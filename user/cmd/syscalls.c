// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf syscalls [LIST]": the system calls that a filter picks, their categories and classes. */
#include "cmd/cmd.h"

#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "model/syscall_filter.h"
#include "model/syscalls.h"
#include "render/table.h"

/* "%file %desc". */
static void classes_cell(struct table *table, const char *call)
{
	char list[256] = "";
	size_t length = 0;

	for (size_t i = 0; syscall_class_name(i); i++) {
		if (syscall_class_includes(i, call) && length < sizeof(list))
			length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%%%s",
						   length ? " " : "", syscall_class_name(i));
	}
	table_cell(table, "%s", list);
}

int cmd_syscalls(const struct options *options)
{
	static const struct table_column columns[] = {
		{ "SYSTEM CALL", true },
		{ "NUMBER", false },
		{ "CATEGORY", true },
		{ "CLASSES", true },
	};
	struct table table;
	int err;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (int abi = 0; abi < SCALER_ABI_COUNT; abi++) {
		for (unsigned int number = 0; number < SCALER_CALL_NUMBERS; number++) {
			const struct syscall_info *info = syscall_find_abi(abi, number);
			char name[SYSCALL_NAME_SIZE];

			if (!info ||
			    (options->filter && !syscall_filter_records(options->filter, abi, number)))
				continue;
			table_cell(&table, "%s", syscall_format(abi, number, name));
			table_cell(&table, "%u", number);
			table_cell(&table, "%s", syscall_category_name(info->category));
			classes_cell(&table, info->name);
		}
	}
	err = table_print(&table, stdout);
	if (err)
		log_error("cannot list the system calls: %s", strerror(-err));
	return err ? 1 : 0;
}
