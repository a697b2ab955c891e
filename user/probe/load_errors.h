/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel does not load the BPF programs, and what can be done about it. */
#ifndef SCALER_PROBE_LOAD_ERRORS_H
#define SCALER_PROBE_LOAD_ERRORS_H

/* One line; err is what loading returned. */
void load_errors_explain(int err);

#endif
