/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages over a socket, each with open files or none. */
#ifndef SCALER_PARSER_CHANNEL_H
#define SCALER_PARSER_CHANNEL_H

#include <stddef.h>
#include <stdint.h>

#include "parser/message.h"

/* More is not taken of either side. */
#define CHANNEL_MESSAGE_MAX ((size_t)256 << 20)

#define CHANNEL_FILES 2

/* How long to wait for the other side. */
struct channel_wait {
	uint64_t end_ns; /* CLOCK_MONOTONIC; CHANNEL_FOREVER */
	int stop_fd;     /* the waiting ends when it can be read; -1: none */
};
#define CHANNEL_FOREVER UINT64_MAX

/*
 * Sends a message with open files: descriptors, and -1 from the first that is none on. Returns 0, -ETIMEDOUT, -ECANCELED: by
 * stop_fd, -EPIPE: there is no other side any more, or another negative errno.
 */
int channel_send(int socket, const struct message *message, const int files[CHANNEL_FILES],
		 const struct channel_wait *wait);

/*
 * Receives a message into one that is empty, and its files, which the caller closes, and -1. Returns as the above; -EPROTO: it
 * is none, or too large. The message is cleared by the caller in all cases.
 */
int channel_receive(int socket, struct message *message, int files[CHANNEL_FILES],
		    const struct channel_wait *wait);

#endif
