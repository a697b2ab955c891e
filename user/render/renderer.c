// SPDX-License-Identifier: GPL-2.0-only
/* Which renderers there are, and a report by one of them. */
#include "render/renderer.h"

#include <string.h>

#include "base/array.h"

static const struct renderer_ops *const renderers[] = { &renderer_text, &renderer_json, &renderer_folded };

const struct renderer_ops *renderer_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(renderers); i++) {
		if (!strcmp(renderers[i]->name, name))
			return renderers[i];
	}
	return NULL;
}

int renderer_run(const struct renderer_ops *ops, const struct report *report, FILE *out)
{
	struct renderer renderer = { .ops = ops, .out = out };
	int err = ops->begin(&renderer, report), end_err;

	for (enum report_part_id part = 0; part < REPORT_PART_COUNT && !err; part++) {
		if (report->options.parts & 1U << part && ops->parts[part])
			err = ops->parts[part](&renderer, report);
	}
	if (!err)
		err = ops->coverage(&renderer, report);
	end_err = ops->end(&renderer, report);
	return err ?: end_err;
}
