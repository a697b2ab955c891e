// SPDX-License-Identifier: GPL-2.0-only
/* scaler-bpf columns: what the columns of reports mean, and the schema of those in JSON. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cmd/cmd.h"
#include "options/options.h"
#include "render/json_values.h"
#include "render/schema.h"
#include "render/tables.h"
#include "render/text_wrap.h"

#define TITLE_SIZE  18
#define MEMBER_SIZE 24
#define LINE_SIZE   100

/* What is only in JSON has no title, what is only in text no name there. */
static void print_column(const struct column *column)
{
	printf("  %-*s%-*s", TITLE_SIZE, column->title ?: "", MEMBER_SIZE, column->member ?: "");
	text_print_wrapped(stdout, column->help ?: "", 2 + TITLE_SIZE + MEMBER_SIZE, LINE_SIZE);
}

static void print_table(enum report_part_id part)
{
	const struct report_table *description = report_tables[part];

	printf("--report %s: %s\n\n", report_parts[part].name, report_parts[part].help);
	printf("  ");
	text_print_wrapped(stdout, description->help, 2, LINE_SIZE);
	printf("\n  %-*s%-*s%s\n", TITLE_SIZE, "COLUMN", MEMBER_SIZE, "IN JSON", "MEANING");
	for (size_t i = 0; i < description->row_type.column_count; i++)
		print_column(&description->row_type.columns[i]);
}

static void print_text(unsigned int parts)
{
	const char *between = "";

	for (enum report_part_id part = 0; part < REPORT_PART_COUNT; part++) {
		if (!(parts & 1U << part) || (!report_tables[part] && parts == REPORT_ALL))
			continue;
		fputs(between, stdout);
		if (report_tables[part])
			print_table(part);
		else
			printf("--report %s: %s; not a table\n", report_parts[part].name,
			       report_parts[part].help);
		between = "\n";
	}
}

int cmd_columns(const struct options *options)
{
	int err;

	if (options->format != &renderer_json) {
		print_text(options->named ?: REPORT_ALL);
		return 0;
	}
	err = json_print_document(report_schema(), 0, stdout);
	if (err)
		log_error("cannot print the schema: %s", strerror(-err));
	return err ? 1 : 0;
}
