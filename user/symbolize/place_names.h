/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of one component's places: by its file's symbols, by a perf map, or the kernel's own. */
#ifndef SCALER_SYMBOLIZE_PLACE_NAMES_H
#define SCALER_SYMBOLIZE_PLACE_NAMES_H

#include <stddef.h>

#include "symbolize/symbolize.h"

/* Sites of one component, and their places in the same order, which have but the component yet. */
struct unnamed_places {
	const struct scaler_component *description;
	const struct symbolizer *symbolizer;
	const struct place_site *sites;
	struct place *places;
	size_t count;
	struct place_component *component; /* which also is told why they have no names */
	int map_fd; /* of generated code: place_names_begin() has opened its map; or a negative errno */
};

/*
 * The name of the component: of code generated at run time "[jit]" if its process names it, by a file that is opened. Not owned. The
 * caller ends what is begun.
 */
const char *place_names_begin(struct unnamed_places *unnamed);
void place_names_end(struct unnamed_places *unnamed);

/* Opens the component's file, and its debug file. Returns 0 or -ENOMEM. */
int place_names_find(struct unnamed_places *unnamed);

#endif
