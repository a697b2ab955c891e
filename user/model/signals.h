/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of signals. */
#ifndef SCALER_MODEL_SIGNALS_H
#define SCALER_MODEL_SIGNALS_H

#define SIGNAL_NAME_SIZE 16

/* "SIGTERM", or by the number "SIG34": of real-time signals, which programs number as they like. Returns name. */
const char *signal_format(unsigned int number, char name[SIGNAL_NAME_SIZE]);

#endif
