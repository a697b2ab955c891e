/* SPDX-License-Identifier: GPL-2.0-only */
/* What devices' interrupts are called on this machine. */
#ifndef SCALER_TARGET_INTERRUPT_NAMES_H
#define SCALER_TARGET_INTERRUPT_NAMES_H

#include <stdint.h>

#include "base/number_names.h"

/* What a device's interrupt's handlers are called, "virtio0-input.0", not trusted; NULL: it has no name. */
const char *interrupt_device_name(struct number_names *names, uint32_t number);

#endif
