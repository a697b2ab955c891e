// SPDX-License-Identifier: GPL-2.0-only
/* Which renderers there are, and the order of a report's parts. */
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
	unsigned int parts = report->options.parts;
	int err = ops->begin(&renderer, report), end_err;

	if (!err && parts & REPORT_SUMMARY)
		err = ops->summary(&renderer, report);
	if (!err && parts & REPORT_PATH)
		err = ops->path(&renderer, report);
	if (!err && parts & REPORT_BOTTLENECKS)
		err = ops->bottlenecks(&renderer, report);
	if (!err && parts & REPORT_CHAINS)
		err = ops->chains(&renderer, report);
	if (!err && parts & REPORT_WAITS)
		err = ops->waits(&renderer, report);
	if (!err && parts & REPORT_LOCKS)
		err = ops->locks(&renderer, report);
	if (!err && parts & REPORT_BLOCKING)
		err = ops->blocking(&renderer, report);
	if (!err && parts & REPORT_COMPONENTS)
		err = ops->components(&renderer, report);
	if (!err && parts & REPORT_FUNCTIONS)
		err = ops->functions(&renderer, report);
	if (!err && parts & REPORT_CPU)
		err = ops->cpu(&renderer, report);
	if (!err && parts & REPORT_LIBRARY)
		err = ops->library(&renderer, report);
	if (!err && parts & REPORT_FLOW)
		err = ops->flow(&renderer, report);
	if (!err && parts & REPORT_CALLS)
		err = ops->calls(&renderer, report);
	if (!err && parts & REPORT_THREADS)
		err = ops->threads(&renderer, report);
	if (!err && parts & REPORT_LATENCY)
		err = ops->latency(&renderer, report);
	if (!err && parts & REPORT_TREE)
		err = ops->tree(&renderer, report);
	if (!err)
		err = ops->coverage(&renderer, report);
	end_err = ops->end(&renderer, report);
	return err ?: end_err;
}
