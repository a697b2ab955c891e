/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names by which functions were called from other files: those that the callers' call instructions lead to. Where
 * sem_wait() goes on to a static function of libc in its place, a stack shows that alone, and the caller still says it.
 */
#ifndef SCALER_SYMBOLIZE_CALLED_NAMES_H
#define SCALER_SYMBOLIZE_CALLED_NAMES_H

#include <stdbool.h>

#include "symbolize/symbolize.h"

/*
 * Adds to the places' calls those of the profile's stacks that are new, and to the places those that they name, which may
 * be there already. Their sites all have places. Returns 0 or -ENOMEM; *added: there are new ones.
 */
int called_names_add(const struct symbolizer *symbolizer, const struct profile *profile,
		     struct places *places, bool *added);

#endif
