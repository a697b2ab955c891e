/* SPDX-License-Identifier: GPL-2.0-only */
/* What was lost, in words. */
#ifndef SCALER_RENDER_LOSSES_H
#define SCALER_RENDER_LOSSES_H

#include <stdint.h>

#include <scaler/record.h>

/* What stands behind the number of losses of a cause, such as "threads without times (...)". */
const char *loss_text(enum scaler_loss cause, uint64_t count);

#endif
