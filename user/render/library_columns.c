// SPDX-License-Identifier: GPL-2.0-only
/* The columns of rows that are sums of library calls. */
#include "render/library_columns.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/units.h"
#include "render/json_figures.h"
#include "render/json_values.h"
#include "render/text.h"

const char *library_sampled_mark(const void *row)
{
	const struct library_figures *figures = row;

	return text_sampled_mark(&figures->sampled);
}

/* A sum of times that includes calls cut short is a lower bound. Without any return there are no times. */
static void time_cell(struct table *table, const struct report *report, const struct library_figures *figures,
		      uint64_t time_ns)
{
	char text[UNITS_SIZE];

	if (!report->library.is_timed)
		table_cell(table, "%s", "");
	else if (figures->calls == figures->untimed)
		table_cell(table, "%s", "-");
	else
		table_cell(table, "%s%s", figures->partial ? ">=" : text_sampled_mark(&figures->sampled),
			   units_format_time(time_ns, text));
}

void library_timed_cell(struct table *table, const struct report *report, const void *row)
{
	const struct library_figures *figures = row;

	if (report->library.is_timed)
		table_cell(table, "%s%" PRIu64, text_sampled_mark(&figures->sampled),
			   figures->calls - figures->untimed);
	else
		table_cell(table, "%s", "");
}

void library_total_cell(struct table *table, const struct report *report, const void *row)
{
	const struct library_figures *figures = row;

	time_cell(table, report, figures, figures->total.total_ns);
}

void library_self_cell(struct table *table, const struct report *report, const void *row)
{
	const struct library_figures *figures = row;

	time_cell(table, report, figures, figures->self.total_ns);
}

void library_blocked_cell(struct table *table, const struct report *report, const void *row)
{
	const struct library_figures *figures = row;

	time_cell(table, report, figures, figures->total.blocked_ns);
}

json_t *library_self_object(const struct report *report, const void *row)
{
	const struct scaler_times *self = &((const struct library_figures *)row)->self;

	(void)report;
	return json_pack("{s:o, s:o, s:o}", "total_ns", json_number(self->total_ns), "runnable_ns",
			 json_number(self->runnable_ns), "blocked_ns", json_number(self->blocked_ns));
}

json_t *library_sampled_object(const struct report *report, const void *row)
{
	const struct library_figures *figures = row;

	return json_call_ranges(&report->library_sampled, &figures->sampled, figures->calls,
				figures->total.total_ns);
}

static const struct column columns[] = { LIBRARY_FIGURES_COLUMNS };

const struct row_type library_figures_type = ROW_TYPE(columns, struct library_figures);
