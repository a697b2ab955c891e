/* SPDX-License-Identifier: GPL-2.0-only */
/* The subcommands. Each returns the exit status of the program. */
#ifndef SCALER_CMD_CMD_H
#define SCALER_CMD_CMD_H

#include "options/options.h"

int cmd_trace(const struct options *options);
int cmd_report(const struct options *options);
int cmd_list(const struct options *options);
int cmd_doctor(const struct options *options);
int cmd_syscalls(const struct options *options);
int cmd_columns(const struct options *options);
int cmd_help(const struct options *options);
int cmd_complete(const struct options *options);

#endif
