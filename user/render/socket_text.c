// SPDX-License-Identifier: GPL-2.0-only
/* Sockets in words. */
#include "render/socket_text.h"

#include <stdio.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

const char *socket_protocol(const struct scaler_socket *socket)
{
	if (!socket)
		return "socket";
	switch (socket->family) {
	case AF_UNIX:
		return "unix";
	case AF_NETLINK:
		return "netlink";
	case AF_INET:
	case AF_INET6:
		return socket->protocol == IPPROTO_TCP ? "tcp" :
		       socket->protocol == IPPROTO_UDP ? "udp" :
							 "socket";
	}
	return "socket";
}

bool socket_has_addresses(const struct scaler_socket *socket)
{
	return socket && (socket->family == AF_INET || socket->family == AF_INET6);
}

bool socket_is_connected(const struct scaler_socket *socket)
{
	return socket_has_addresses(socket) && socket->remote_port;
}

static const char *format_address(int family, const void *address, unsigned int port,
				  char buffer[SOCKET_ADDRESS_SIZE])
{
	char text[INET6_ADDRSTRLEN] = "";

	inet_ntop(family, address, text, sizeof(text));
	snprintf(buffer, SOCKET_ADDRESS_SIZE, family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, port);
	return buffer;
}

const char *socket_format_local(const struct scaler_socket *socket, char buffer[SOCKET_ADDRESS_SIZE])
{
	return format_address(socket->family, socket->local, socket->local_port, buffer);
}

const char *socket_format_remote(const struct scaler_socket *socket, char buffer[SOCKET_ADDRESS_SIZE])
{
	return format_address(socket->family, socket->remote, socket->remote_port, buffer);
}
