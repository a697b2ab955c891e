/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The places in code that a profile names: its sites joined with their components' symbols, as symbolize/ has found them
 * or a file has kept them. A place is a function of a component, or an instruction in it that nothing tells the function
 * of; of a lock the variable.
 */
#ifndef SCALER_MODEL_PLACES_H
#define SCALER_MODEL_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <scaler/component.h>

#include "base/number_names.h"

#define PLACE_BUILD_ID_SIZE (2 * SCALER_BUILD_ID_SIZE + 1)

/* Files with the same name and build-id, in several containers say, are one component. */
struct place_component {
	char *name;                         /* owned, as is the path; both not trusted */
	char *path;                         /* NULL: not known, or there is none */
	char build_id[PLACE_BUILD_ID_SIZE]; /* hexadecimal; "" without one */
	const char *problem;                /* why it has no symbols; NULL if it has, or can have none */
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

/* All zero at first. */
struct places {
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
	/* What else threads wait for: block devices as struct scaler_block_request has them, and devices' interrupts. */
	struct number_names disks;
	struct number_names interrupts;
	const char *given_up; /* which source of symbols was; NULL: none */
};

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

/* The place of what the call at a site led to in the component of that number; PLACE_NONE: only its own site tells it. */
size_t places_find_called(const struct places *places, uint64_t caller, uint32_t component);

/* The order of two places by the names of their components and their own, as strcmp(). */
int places_compare_names(const struct places *places, size_t left, size_t right);

/*
 * What follows is for those who fill them. Indices of places that were given before places_merge() mean nothing after it.
 */

/* Generated code may have got a name by now. Of a file all is known at once. */
static inline bool place_is_final(const struct place *place)
{
	return place->function || place->offset;
}

/* Its index; it is added if it is new. Its strings are taken in every case. Returns it, or -ENOMEM. */
ssize_t places_add_component(struct places *places, struct place_component *fresh);

/* The component of that number is the one of that index. Returns 0 or -ENOMEM. */
int places_number_component(struct places *places, uint32_t number, size_t index);

/* Of sites in their order, which have no place, or none that is final. Returns 0 or -ENOMEM. */
int places_add_sites(struct places *places, const struct place_site *sites, size_t count);

/* Whether that call is known; and the order of the calls, once some were added. */
bool places_has_call(const struct places *places, uint64_t caller, uint32_t component);
void places_sort_calls(struct places *places);

/* Makes one of the places that are the same, and drops those that no site and no call has. Returns 0 or -ENOMEM. */
int places_merge(struct places *places);

#endif
