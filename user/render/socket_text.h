/* SPDX-License-Identifier: GPL-2.0-only */
/* Sockets in words. */
#ifndef SCALER_RENDER_SOCKET_TEXT_H
#define SCALER_RENDER_SOCKET_TEXT_H

#include <stdbool.h>

#include <scaler/resource.h>

/* "tcp", "udp", "unix", "netlink", or "socket" for all else; NULL is such a one. Static memory. */
const char *socket_protocol(const struct scaler_socket *socket);

/* Whether it has addresses, and one at the other end. */
bool socket_has_addresses(const struct scaler_socket *socket);
bool socket_is_connected(const struct scaler_socket *socket);

#define SOCKET_ADDRESS_SIZE 64

/* "127.0.0.1:80" or "[::1]:80", of one that has addresses. Returns buffer. */
const char *socket_format_local(const struct scaler_socket *socket, char buffer[SOCKET_ADDRESS_SIZE]);
const char *socket_format_remote(const struct scaler_socket *socket, char buffer[SOCKET_ADDRESS_SIZE]);

#endif
