/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording made up for the tests of analysis and renderers: no kernel, no root. */
#ifndef SCALER_TESTS_SYNTHETIC_H
#define SCALER_TESTS_SYNTHETIC_H

#include "model/profile.h"

/* Fills an empty profile; the caller clears it. */
void synthetic_profile(struct profile *profile);

#endif
