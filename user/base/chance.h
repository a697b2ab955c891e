/* SPDX-License-Identifier: GPL-2.0-only */
/* Chance, which nothing that is traced keeps step with. */
#ifndef SCALER_BASE_CHANCE_H
#define SCALER_BASE_CHANCE_H

#include <stdlib.h>
#include <sys/random.h>

#include "base/clock.h"

static inline struct drand48_data chance_begin(void)
{
	struct drand48_data chance;
	long seed = 0;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
		seed = (long)clock_now_ns();
	srand48_r(seed, &chance);
	return chance;
}

/* At least 0 and below 1. */
static inline double chance_next(struct drand48_data *chance)
{
	double next;

	drand48_r(chance, &next);
	return next;
}

#endif
