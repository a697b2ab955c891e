// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf syscalls [LIST]": the system calls that a filter picks, their categories and classes. */
#include "cmd/cmd.h"

#include <errno.h>
#include <string.h>

#include <jansson.h>

#include "base/array.h"
#include "base/log.h"
#include "model/syscall_filter.h"
#include "model/syscalls.h"
#include "render/json_values.h"
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

struct call_row {
	int abi;
	unsigned int number;
	const struct syscall_info *info;
};

/* The next one after *row that is listed, or the first if it is empty. */
static bool next_row(const struct options *options, struct call_row *row)
{
	unsigned int number = row->info ? row->number + 1 : 0;

	for (; row->abi < SCALER_ABI_COUNT; row->abi++, number = 0) {
		for (; number < SCALER_CALL_NUMBERS; number++) {
			row->info = syscall_find_abi(row->abi, number);
			row->number = number;
			if (row->info &&
			    (!options->filter || syscall_filter_records(options->filter, row->abi, number)))
				return true;
		}
	}
	return false;
}

static int print_text(const struct options *options)
{
	static const struct table_column columns[] = {
		TABLE_WORDS("SYSTEM CALL", 0),
		TABLE_FIGURES("NUMBER", 0),
		TABLE_WORDS("CATEGORY", 0),
		TABLE_WORDS("CLASSES", 0),
	};
	struct call_row row = { 0 };
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	while (next_row(options, &row)) {
		char name[SYSCALL_NAME_SIZE];

		table_cell(&table, "%s", syscall_format(row.abi, row.number, name));
		table_cell(&table, "%u", row.number);
		table_cell(&table, "%s", syscall_category_name(row.info->category));
		classes_cell(&table, row.info->name);
	}
	return table_print(&table, stdout);
}

static json_t *classes_array(const char *call)
{
	json_t *classes = json_array();
	int err = 0;

	for (size_t i = 0; syscall_class_name(i); i++) {
		if (syscall_class_includes(i, call))
			err |= json_append(classes, json_string(syscall_class_name(i)));
	}
	if (!err)
		return classes;
	json_decref(classes);
	return NULL;
}

static int print_json(const struct options *options)
{
	json_t *calls = json_array(), *document;
	struct call_row row = { 0 };
	int err = 0;

	while (next_row(options, &row))
		err |= json_append(calls, json_pack("{s:s, s:i, s:s, s:s, s:o}", "name", row.info->name,
						    "number", (int)row.number, "abi",
						    row.abi == SCALER_ABI_NATIVE ? "native" : "compat",
						    "category", syscall_category_name(row.info->category),
						    "classes", classes_array(row.info->name)));
	document = json_pack("{s:s, s:o}", "schema", "scaler-bpf/syscalls/1", "syscalls", calls);
	return json_print_document(document, err, stdout);
}

int cmd_syscalls(const struct options *options)
{
	int err = options->format == &renderer_json ? print_json(options) : print_text(options);

	if (err)
		log_error("cannot list the system calls: %s", strerror(-err));
	return err ? 1 : 0;
}
