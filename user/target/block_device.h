/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of block devices. */
#ifndef SCALER_TARGET_BLOCK_DEVICE_H
#define SCALER_TARGET_BLOCK_DEVICE_H

#include <stdint.h>

#include "base/number_names.h"

/* "vda", by 12 bits major and 20 bits minor; NULL: there is none of that number. */
const char *block_device_name(struct number_names *names, uint32_t device);

#endif
