// SPDX-License-Identifier: GPL-2.0-only
/* Reports of the recording that is made up. */
#include "synthetic.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "render/renderer.h"
#include "symbolize/symbolize.h"
#include "target/symbol_search.h"

int synthetic_report_by(struct profile *profile, const struct places *places,
			const struct report_options *options, struct report *report)
{
	static struct chain_builder builder;
	int err;

	chain_builder_clear(&builder);
	builder = (struct chain_builder){ .filter = &options->filter,
					  .explains = options->parts & REPORT_TREES };
	err = chain_builder_add(&builder, profile) ?: report_make(profile, places, options, &builder, report);
	report->cpus = 8;
	return err;
}

int synthetic_report(struct profile *profile, const struct report_options *options, struct report *report)
{
	static struct symbol_search search;
	static struct places places;
	const struct symbolizer symbolizer = { .search = &search };

	search = (struct symbol_search){ .folder = options->symbols, .signal_fd = -1 };
	return symbolize(&symbolizer, &places, profile, NULL) ?:
		       synthetic_report_by(profile, &places, options, report);
}

const struct report_options synthetic_everything = { .parts = REPORT_ALL,
						     .top = REPORT_TOP_DEFAULT,
						     .frequency = 199,
						     .path = { .target = 100 },
						     .width = REPORT_WIDTH_ALL };

char *synthetic_render(const char *format, const struct report *report)
{
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	cr_assert_eq(renderer_run(renderer_find(format), report, out), 0);
	fclose(out);
	return text;
}
