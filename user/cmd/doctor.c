// SPDX-License-Identifier: GPL-2.0-only
/* "scaler-bpf doctor": says what this kernel and user can do, and whether that suffices to trace. */
#include "cmd/cmd.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include <jansson.h>

#include "base/log.h"
#include "probe/diagnosis.h"
#include "render/json_values.h"
#include "render/table.h"

static const char *state_word(const struct diagnosis_item *item)
{
	if (item->available)
		return "yes";
	return item->required ? "NO" : "no";
}

static int print_text(const struct diagnosis *diagnosis, const struct utsname *kernel)
{
	static const struct table_column items[] = { TABLE_WORDS("FEATURE", 0), TABLE_WORDS("THERE", 0),
						     TABLE_WORDS("FOUND", 0), TABLE_WORDS("REMEDY", 0) };
	static const struct table_column ways[] = { TABLE_WORDS("WHAT", 0), TABLE_WORDS("HOW", 0) };
	struct table table;
	int err;

	printf("Linux %s, %s\n\n", kernel->release, kernel->machine);
	table_begin(&table, items, 4);
	for (size_t i = 0; i < diagnosis->item_count; i++) {
		const struct diagnosis_item *item = &diagnosis->items[i];

		table_cell(&table, "%s", item->title);
		table_cell(&table, "%s", state_word(item));
		table_cell(&table, "%s", item->detail);
		table_cell(&table, "%s", item->remedy ?: "");
	}
	err = table_print(&table, stdout);
	if (diagnosis->way_count && !err) {
		putchar('\n');
		table_begin(&table, ways, 2);
		for (size_t i = 0; i < diagnosis->way_count; i++) {
			table_cell(&table, "%s", diagnosis->ways[i].what);
			table_cell(&table, "%s", diagnosis->ways[i].how);
		}
		err = table_print(&table, stdout);
	}
	printf("\nscaler-bpf can%s trace here.\n", diagnosis->can_trace ? "" : "not");
	return err;
}

static json_t *item_object(const struct diagnosis_item *item)
{
	return json_pack("{s:s, s:b, s:b, s:s, s:s?}", "name", item->name, "required", item->required,
			 "available", item->available, "detail", item->detail, "remedy", item->remedy);
}

static int print_json(const struct diagnosis *diagnosis, const struct utsname *kernel)
{
	json_t *items = json_array(), *ways = json_array(), *document;
	int err = 0;

	for (size_t i = 0; i < diagnosis->item_count; i++)
		err |= json_append(items, item_object(&diagnosis->items[i]));
	for (size_t i = 0; i < diagnosis->way_count; i++)
		err |= json_append(ways, json_pack("{s:s, s:s}", "what", diagnosis->ways[i].what, "how",
						   diagnosis->ways[i].how));
	document = json_pack("{s:s, s:s, s:s, s:b, s:o, s:o}", "schema", "scaler-bpf/doctor/1", "kernel",
			     kernel->release, "machine", kernel->machine, "can_trace", diagnosis->can_trace,
			     "features", items, "ways", ways);
	return json_print_document(document, err, stdout);
}

int cmd_doctor(const struct options *options)
{
	bool as_json = !strcmp(options->format->name, "json");
	struct utsname kernel = { 0 };
	struct diagnosis diagnosis;
	int err;

	uname(&kernel);
	diagnosis_make(&diagnosis);
	err = as_json ? print_json(&diagnosis, &kernel) : print_text(&diagnosis, &kernel);
	if (err)
		log_error("cannot print the diagnosis: %s", strerror(-err));
	return err || !diagnosis.can_trace;
}
