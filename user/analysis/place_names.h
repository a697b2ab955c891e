/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of one component's places: by its file's symbols, by a perf map, or the kernel's own. */
#ifndef SCALER_ANALYSIS_PLACE_NAMES_H
#define SCALER_ANALYSIS_PLACE_NAMES_H

#include <stddef.h>

#include "analysis/places.h"

/* Sites of one component, and their places in the same order, which have but the component yet. */
struct unnamed_places {
	const struct scaler_component *description;
	struct held_files *held;      /* NULL: none */
	struct symbol_search *search; /* NULL: by the default places alone */
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
