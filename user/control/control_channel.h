/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where commands to a tracer come from and acknowledgements go to, as perf's --control has it: "fifo:CTL[,ACK]" are
 * paths of FIFOs that exist, "fd:CTL[,ACK]" descriptors that are open.
 */
#ifndef SCALER_CONTROL_CONTROL_CHANNEL_H
#define SCALER_CONTROL_CONTROL_CHANNEL_H

#include <stdbool.h>

#include "control/control_text.h"

struct control_channel {
	int fd;     /* -1: there is none, or nobody can write to it any more */
	int ack_fd; /* -1: nobody wants acknowledgements */
	bool is_fifo;
	struct control_text text;
};

/* Whether that is a place for commands. Opens nothing. */
bool control_channel_is_valid(const char *place);

/* Opens a valid place, NULL: none. A command that is executed inherits no descriptor of it. Returns 0, or -1 after an error message. */
int control_channel_open(struct control_channel *channel, const char *place);

/* Once fd is readable: reads what has arrived. Returns 0 or a negative errno; at its end fd becomes -1. */
int control_channel_read(struct control_channel *channel);

/* Says that a command has taken effect; or, with a reason, that it has not. That nobody reads it is noted. */
void control_channel_acknowledge(const struct control_channel *channel, const char *reason);

void control_channel_close(struct control_channel *channel);

#endif
