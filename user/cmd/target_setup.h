/* SPDX-License-Identifier: GPL-2.0-only */
/* From the target's options to the recorder, with an error or a note for what cannot be traced. */
#ifndef SCALER_CMD_TARGET_SETUP_H
#define SCALER_CMD_TARGET_SETUP_H

#include <stdbool.h>

#include "control/ending.h"
#include "options/options.h"
#include "probe/recorder.h"
#include "target/linked_files.h"

/* Each prints its own error. Returns 0 or a negative errno. */

/* Describes the target for the kernel side. */
int target_setup_describe(const struct target_options *options, struct scaler_target *target);

/* Looks at the processes or threads that are asked for, and lets their end be the recording's. */
int target_setup_watch(const struct target_options *options, struct ending *ending);

/* Finds the target's threads. That there are none yet is an error if nothing can join them. */
int target_setup_find(const struct target_options *options, struct recorder *recorder);

/* Finds the files whose functions the target's processes can call. */
int target_setup_files(const struct target_options *options, struct linked_files *files);

/* How many threads the target has now, or may have at most where it is not given by their numbers. */
uint64_t target_setup_count_threads(const struct target_options *options);

/* Whether it is the whole system. */
bool target_setup_is_everything(const struct target_options *options);

/* Whether processes or threads may join that the kernel side does not see coming. */
bool target_setup_grows(const struct target_options *options);

#endif
