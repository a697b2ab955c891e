/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who issues the system calls: the sites of a profile joined with their components' symbols. An issuer is
 * a function of a component, or a place in it that no symbol covers.
 */
#ifndef SCALER_ANALYSIS_ISSUERS_H
#define SCALER_ANALYSIS_ISSUERS_H

#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

/* Files with the same name and build-id, in several containers say, are one component. */
struct issuer_component {
	char *name;                                  /* owned, as is the path; both not trusted */
	char *path;                                  /* NULL: not known, or there is none */
	char build_id[2 * SCALER_BUILD_ID_SIZE + 1]; /* hexadecimal; "" without one */
	const char *problem; /* why it has no symbols; NULL if it has, or can have none */
};

struct issuer {
	size_t component;
	char *function; /* owned, not trusted; NULL: no symbol */
	/* Without a function: the place, by the file's own addresses, or, where the file could not be
	 * read, by its offset in it. 0: the component is no file. */
	uint64_t offset;
};

struct issuer_site {
	uint64_t site;
	size_t issuer;
};

struct issuers {
	struct issuer_component *components; /* owned, as are the next */
	size_t component_count;
	struct issuer *items;
	size_t count;
	struct issuer_site *sites; /* by site */
	size_t site_count;
};

/* Opens the components' files. Returns 0 or -ENOMEM; the caller clears the issuers in both cases. */
int issuers_make(const struct profile *profile, struct issuers *issuers);
void issuers_clear(struct issuers *issuers);

#define ISSUER_NONE SIZE_MAX

/* The index in items of the site's issuer: every site of the profile's calls and stacks has one, no other. */
size_t issuers_find(const struct issuers *issuers, uint64_t site);

#endif
