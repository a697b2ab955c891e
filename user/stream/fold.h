/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the kernel side's fold maps into a profile. */
#ifndef SCALER_STREAM_FOLD_H
#define SCALER_STREAM_FOLD_H

#include "model/profile.h"
#include "probe/recorder.h"

/* Fills an empty profile with what was recorded, after recorder_stop(). 0 or a negative errno. */
int fold_read(const struct recorder *recorder, struct profile *profile);

#endif
