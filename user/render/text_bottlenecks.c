// SPDX-License-Identifier: GPL-2.0-only
/* Bottlenecks as text: what all waits come down to, and the waiting events that weigh most. */
#include "render/text.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/units.h"
#include "render/table.h"

static void group_cell(struct table *table, const struct bottleneck_group *group)
{
	char name[ESCAPE_FACTOR * SCALER_COMM_SIZE + 1];
	const char *from = group->disk ?: group->interrupt ?: group->name;

	escape_text(from, strnlen(from, SCALER_COMM_SIZE), name);
	switch (group->kind) {
	case CHAIN_WAIT:
		table_cell(table, "%s", name);
		break;
	case CHAIN_RUNNABLE:
		table_cell(table, "(CPUs)");
		break;
	case CHAIN_QUOTA:
		table_cell(table, "(CPU quota)");
		break;
	case CHAIN_UNTRACED:
		table_cell(table, "%s (not traced)", name);
		break;
	default:
		table_cell(table, "(%s%s%s)", chain_kind_name(group->kind), *name ? " " : "", name);
	}
}

static void knot_cell(struct table *table, const struct bottleneck_group *group)
{
	if (group->knot)
		table_cell(table, "%" PRIu32, group->knot);
	else
		table_cell(table, "%s", "");
}

static void time_cell(struct table *table, uint64_t time_ns)
{
	char text[UNITS_SIZE];

	table_cell(table, "%s", time_ns ? units_format_time(time_ns, text) : "");
}

static int print_groups(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("SHARE", 0), TABLE_FIGURES("ROOT OF", 0), TABLE_FIGURES("AWAITED", 0),
		TABLE_FIGURES("WAITS", 0), TABLE_FIGURES("KNOT", 0),    TABLE_WORDS("GROUP", 0),
	};
	const struct bottleneck_report *bottlenecks = &report->bottlenecks;
	size_t shown = text_rows_shown(report, bottlenecks->group_count);
	char text[UNITS_SIZE], others[TEXT_OTHERS_SIZE];
	uint64_t others_ns = 0;
	struct table table;

	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++) {
		const struct bottleneck_group *group = &bottlenecks->groups[i];

		table_cell(&table, "%s", units_format_share(group->root_ns, bottlenecks->total_ns, text));
		time_cell(&table, group->root_ns);
		time_cell(&table, group->awaited_ns);
		time_cell(&table, group->waits_ns);
		knot_cell(&table, group);
		group_cell(&table, group);
	}
	for (size_t i = shown; i < bottlenecks->group_count; i++)
		others_ns += bottlenecks->groups[i].root_ns;
	if (shown < bottlenecks->group_count) {
		table_cell(&table, "%s", units_format_share(others_ns, bottlenecks->total_ns, text));
		time_cell(&table, others_ns);
		for (int i = 0; i < 3; i++)
			table_cell(&table, "%s", "");
		table_cell(&table, "%s", text_others(bottlenecks->group_count - shown, others));
	}
	return text_table_print(renderer, report, &table);
}

/* Of one of them who had it. */
static void cpu_cell(struct table *table, const struct wait_shape *shape)
{
	char name[ESCAPE_FACTOR * SCALER_COMM_SIZE + 1];

	escape_text(shape->key.cpu_holder, strnlen(shape->key.cpu_holder, SCALER_COMM_SIZE), name);
	table_cell(table, "(CPUs), running: %s", name);
}

static void event_cells(struct table *table, const struct report *report, const struct bottleneck_row *row)
{
	const struct bottleneck_group *groups = report->bottlenecks.groups;
	char text[UNITS_SIZE];

	table_cell(table, "%s", units_format_share(row->weight_ns, report->bottlenecks.total_ns, text));
	time_cell(table, row->weight_ns);
	time_cell(table, row->own_ns);
	group_cell(table, &groups[row->waiter]);
	if (groups[row->ender].kind == CHAIN_RUNNABLE && *row->what.shape->key.cpu_holder)
		cpu_cell(table, row->what.shape);
	else
		group_cell(table, &groups[row->ender]);
	text_chain_place_cells(table, report, &row->what);
}

/* Of more than are shown no sum is made: their weights have time in common. */
static int print_events(struct renderer *renderer, const struct report *report)
{
	static const struct table_column columns[] = {
		TABLE_FIGURES("SHARE", 0), TABLE_FIGURES("WEIGHT", 0),  TABLE_FIGURES("OWN", 0),
		TABLE_WORDS("WAITER", 0),  TABLE_WORDS("WAITS FOR", 0), TABLE_WORDS("SYSTEM CALL", 3),
		TABLE_WORDS("ON", 2),      TABLE_WORDS("FUNCTION", 1),  TABLE_WORDS("CALLED BY", 2),
	};
	const struct bottleneck_report *bottlenecks = &report->bottlenecks;
	size_t shown = text_rows_shown(report, bottlenecks->row_count);
	char others[TEXT_OTHERS_SIZE];
	struct table table;

	fputs("\nWaiting events: the waits themselves, and with them all that these delayed in turn\n\n",
	      renderer->out);
	table_begin(&table, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < shown; i++)
		event_cells(&table, report, &bottlenecks->rows[i]);
	if (shown < bottlenecks->row_count) {
		for (int i = 0; i < 3; i++)
			table_cell(&table, "%s", "");
		table_cell(&table, "%s", text_others(bottlenecks->row_count - shown, others));
		table_end_row(&table);
	}
	return text_table_print(renderer, report, &table);
}

int text_bottlenecks(struct renderer *renderer, const struct report *report)
{
	const struct bottleneck_report *bottlenecks = &report->bottlenecks;
	uint64_t idle_ns = report->chains.idle_ns;
	char text[UNITS_SIZE];

	if (!bottlenecks->row_count) {
		fputs("\nBottlenecks: no thread was delayed.\n", renderer->out);
		return 0;
	}
	fprintf(renderer->out, "\nBottlenecks: %s of waits, by what they come down to",
		units_format_time(bottlenecks->total_ns, text));
	if (idle_ns)
		fprintf(renderer->out, "; %s more were idle", units_format_time(idle_ns, text));
	fputs("\n\n", renderer->out);
	return print_groups(renderer, report) ?: print_events(renderer, report);
}
