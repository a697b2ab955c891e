/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places in code that a profile names: its sites joined with their components' symbols. A place is a
 * function of a component, or an instruction in it that nothing tells the function of; of a lock the variable.
 */
#ifndef SCALER_ANALYSIS_PLACES_H
#define SCALER_ANALYSIS_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"
#include "target/component.h"

struct held_files;
struct symbol_search;

/* Files with the same name and build-id, in several containers say, are one component. */
struct place_component {
	char *name;                                  /* owned, as is the path; both not trusted */
	char *path;                                  /* NULL: not known, or there is none */
	char build_id[COMPONENT_BUILD_ID_TEXT_SIZE]; /* hexadecimal; "" without one */
	const char *problem; /* why it has no symbols; NULL if it has, or can have none */
	bool is_application; /* the file that a process executes, or code generated at run time */
	bool is_runtime;   /* the C library, or what loads libraries: what others make system calls through */
	bool is_tracer;    /* no code of the program's */
	bool is_generated; /* at run time */
	bool is_moved;     /* programs have moved code of it to memory of their own */
};

struct place {
	size_t component;
	char *function; /* owned, not trusted; NULL: no symbol; or a variable, "pool+0x18" within it */
	/* Without a function: where it begins, or where nothing tells that the place, by the file's own addresses;
	 * where the file could not be read, the place's offset in it. 0: the component is no file. */
	uint64_t offset;
};

struct place_site {
	uint64_t site;
	size_t place;
};

/* A call that led from one component to another's function, as which the place of the frame within it is known. */
struct place_call {
	uint64_t caller;    /* the site of the call instruction */
	uint32_t component; /* the number of the called one */
	uint32_t zero;
	size_t place; /* by the name that the call instruction leads to; PLACE_NONE: nothing tells it */
};

struct places {
	struct held_files *held;            /* the caller's, or NULL; asked for files that no path leads to */
	struct symbol_search *search;       /* the caller's, or NULL; reads symbols */
	struct place_component *components; /* owned, as are the next */
	size_t component_count;
	size_t component_capacity;
	struct place *items;
	size_t count;
	struct place_site *sites; /* by site */
	size_t site_count;
	struct place_call *calls; /* owned, as are the two before; by caller and component */
	size_t call_count;
	size_t *component_of; /* by number: an index in components and 1; 0: not named */
	size_t number_count;
};

/* Not owned. NULL: none. */
struct place_sites {
	const uint64_t *items;
	size_t count;
};

/*
 * Adds those of the profile, and of other sites that have been in one, to the places, which are all zero at first, and may have those of earlier readings of the
 * same recording; indices of before mean nothing any more. Opens the files of components that have new ones, and their
 * debug files. Returns 0 or -ENOMEM; the caller clears the places in
 * both cases.
 */
int places_add(struct places *places, const struct profile *profile, const struct place_sites *others);
void places_clear(struct places *places);

#define PLACE_NONE SIZE_MAX

static inline bool place_is_tracer(const struct places *places, size_t place)
{
	return place != PLACE_NONE && places->components[places->items[place].component].is_tracer;
}

/* The index in components of the component of that number, which one of the profile's contexts names. */
size_t places_component(const struct places *places, uint32_t number);

/* The index in items of the site's place: every site of the profile's calls, stacks and locks has one, no other. */
size_t places_find(const struct places *places, uint64_t site);

/* What called_names.h needs: whether that call is known, the order of the calls, and what a component is. */
bool places_has_call(const struct places *places, uint64_t caller, uint32_t component);
void places_sort_calls(struct places *places);
const struct scaler_component *places_description(const struct profile *profile, uint32_t number);

/* The place of what the call at a site led to in the component of that number; PLACE_NONE: only its own site tells it. */
size_t places_find_called(const struct places *places, uint64_t caller, uint32_t component);

/* The order of two places by the names of their components and their own, as strcmp(). */
int places_compare_names(const struct places *places, size_t left, size_t right);

#endif
