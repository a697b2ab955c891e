/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The renderers: each shows a report in one format, its parts in the order of report_parts.h; coverage says what was lost,
 * filtered or repaired, so that no format can forget it.
 */
#ifndef SCALER_RENDER_RENDERER_H
#define SCALER_RENDER_RENDERER_H

#include <stdio.h>

#include "analysis/report.h"
#include "render/table.h"

struct renderer; /* one rendering under way */

/* Returns 0 or a negative errno; write errors stay in the stream, for the caller to check. */
typedef int render_hook(struct renderer *renderer, const struct report *report);

struct renderer_ops {
	const char *name; /* as --format takes it */
	render_hook *begin;
	render_hook *parts[REPORT_PART_COUNT]; /* NULL: there is no place for that part in the format */
	/* Instead of all others: a part of a stream of blocking intervals. NULL: there is none in this format. */
	render_hook *stream;
	render_hook *coverage;
	render_hook *end; /* called whatever failed before */
};

struct renderer {
	const struct renderer_ops *ops;
	FILE *out;
	void *state;                /* the renderer's own, freed by end() */
	size_t hidden_columns;      /* that had no room in its tables */
	struct table_widths widths; /* of a stream, for as long as the renderer is the same */
};

extern const struct renderer_ops renderer_text;
extern const struct renderer_ops renderer_json;
extern const struct renderer_ops renderer_folded; /* shows nothing but the tree */

/* The renderer of that name, or NULL. */
const struct renderer_ops *renderer_find(const char *name);

/* Shows the report. Returns 0 or a negative errno. */
int renderer_run(const struct renderer_ops *ops, const struct report *report, FILE *out);

#endif
