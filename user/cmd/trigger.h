/* SPDX-License-Identifier: GPL-2.0-only */
/* When a flight recorder saves by itself: some time after a wait of a kind, so that what followed it is there, too. */
#ifndef SCALER_CMD_TRIGGER_H
#define SCALER_CMD_TRIGGER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/places.h"
#include "model/profile.h"
#include "options/options.h"

struct trigger {
	const struct keep_options *options; /* the caller's */
	uint64_t due_ns;                    /* CLOCK_MONOTONIC: when it is to be saved; 0: not */
	uint64_t quiet_ns;                  /* waits that ended before are in what was saved last */
	unsigned int saves;
};

/* At most; what comes again and again is in these. */
#define TRIGGER_SAVES_MAX 10

/*
 * Looks at what came since the last cut; the places have its names. *is_due: it is to be saved now. Returns 0 or -ENOMEM.
 */
int trigger_look(struct trigger *trigger, struct profile *difference, const struct places *places,
		 bool *is_due);

#endif
