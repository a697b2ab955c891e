/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of many files, one after the other, of which some may have to be waited for: debug files from servers, files of
 * machines that are gone. What does not come is given up, and said.
 */
#ifndef SCALER_TARGET_SYMBOL_SEARCH_H
#define SCALER_TARGET_SYMBOL_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/symbol_places.h"

/* Servers may take this long in all, and what is waited for be silent this long. */
#define SYMBOL_SEARCH_SERVERS_NS 20000000000ULL
#define SYMBOL_SEARCH_SILENCE_NS 5000000000ULL
/* Once a file was given up, others may for so long. */
#define SYMBOL_SEARCH_SHORT_NS 1000000000ULL

struct symbol_search {
	const char *folder;   /* with debug files, an absolute path; NULL: none */
	int signal_fd;        /* once it can be read, the search ends within a second; -1: none */
	uint64_t servers_ns;  /* that servers took so far */
	bool has_ended;       /* by a signal: no more is read */
	bool is_impatient;    /* a file was given up */
	const char *given_up; /* what was, for the report; NULL: nothing */
};

/*
 * As parser_name_places(), with the debug file, or -ETIMEDOUT: the file or its debug file could not be read without waiting,
 * and -ECANCELED: the search has ended. The search may be NULL.
 */
int symbol_search_name(struct symbol_search *search, int fd, const char *name, const uint64_t *offsets,
		       size_t count, struct symbol_place *places, bool *has_functions);

#endif
