/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The renderers: each shows a report in one format. A report's parts are hooks of their own, called in
 * the order in which they stand here if they are asked for; coverage says what was lost, left out or repaired, so that
 * no format can forget it.
 */
#ifndef SCALER_RENDER_RENDERER_H
#define SCALER_RENDER_RENDERER_H

#include <stdio.h>

#include "analysis/report.h"
#include "render/table.h"

struct renderer; /* one rendering under way */

/* Hooks return 0 or a negative errno; write errors stay in the stream, for the caller to check. */
struct renderer_ops {
	const char *name; /* as --format takes it */
	int (*begin)(struct renderer *renderer, const struct report *report);
	int (*summary)(struct renderer *renderer, const struct report *report);
	int (*components)(struct renderer *renderer, const struct report *report);
	int (*functions)(struct renderer *renderer, const struct report *report);
	int (*cpu)(struct renderer *renderer, const struct report *report);
	int (*library)(struct renderer *renderer, const struct report *report);
	int (*flow)(struct renderer *renderer, const struct report *report);
	int (*calls)(struct renderer *renderer, const struct report *report);
	int (*threads)(struct renderer *renderer, const struct report *report);
	int (*latency)(struct renderer *renderer, const struct report *report);
	int (*tree)(struct renderer *renderer, const struct report *report);
	int (*waits)(struct renderer *renderer, const struct report *report);
	int (*path)(struct renderer *renderer, const struct report *report);
	int (*bottlenecks)(struct renderer *renderer, const struct report *report);
	int (*chains)(struct renderer *renderer, const struct report *report);
	int (*locks)(struct renderer *renderer, const struct report *report);
	int (*blocking)(struct renderer *renderer, const struct report *report);
	/* Instead of all others: a part of a stream of blocking intervals. NULL: there is none in this format. */
	int (*stream)(struct renderer *renderer, const struct report *report);
	int (*coverage)(struct renderer *renderer, const struct report *report);
	int (*end)(struct renderer *renderer,
		   const struct report *report); /* called whatever failed before */
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
