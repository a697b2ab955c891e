/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages over a socket, each with one open file or none. */
#ifndef SCALER_PARSER_CHANNEL_H
#define SCALER_PARSER_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "parser/message.h"

/* More is not taken of either side. */
#define CHANNEL_MESSAGE_MAX ((size_t)256 << 20)

/*
 * Sends a message with a descriptor, or -1, waiting for the other side up to that time, CLOCK_MONOTONIC. Returns 0,
 * -ETIMEDOUT, -EPIPE if there is no other side any more, or another negative errno.
 */
int channel_send(int socket, const struct message *message, int fd, uint64_t end_ns);

/*
 * Receives a message into one that is empty; *fd: the descriptor that came with it, which the caller closes, or -1. Returns as
 * the above; -EPROTO: it is none, or too large. The message is cleared by the caller in all cases.
 */
int channel_receive(int socket, struct message *message, int *fd, uint64_t end_ns);

#endif
