// SPDX-License-Identifier: GPL-2.0-only
/* A message is its size, with which the descriptor comes, and its bytes. */
#include "parser/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

static int await(int socket, short events, uint64_t end_ns)
{
	struct pollfd fd = { .fd = socket, .events = events };
	uint64_t now_ns = clock_now_ns();
	struct timespec left;
	int count;

	if (end_ns != UINT64_MAX && now_ns >= end_ns)
		return -ETIMEDOUT;
	left = (struct timespec){ (time_t)((end_ns - now_ns) / 1000000000),
				  (long)((end_ns - now_ns) % 1000000000) };
	count = ppoll(&fd, 1, end_ns == UINT64_MAX ? NULL : &left, NULL);
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	return count ? 0 : -ETIMEDOUT;
}

/* What was not done at once is done later; other errors are the end. */
static int go_on(int socket, short events, uint64_t end_ns)
{
	if (errno == EINTR)
		return 0;
	return errno == EAGAIN ? await(socket, events, end_ns) : -errno;
}

static int send_all(int socket, const void *bytes, size_t size, uint64_t end_ns)
{
	size_t done = 0;
	int err = 0;

	while (done < size && !err) {
		ssize_t sent =
			send(socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent >= 0)
			done += (size_t)sent;
		else
			err = go_on(socket, POLLOUT, end_ns);
	}
	return err;
}

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

static int send_size(int socket, uint64_t size, int fd, uint64_t end_ns)
{
	union control control = { 0 };
	struct iovec part = { &size, sizeof(size) };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;
	int err = 0;

	if (fd >= 0) {
		control.header = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(sizeof(fd)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		header.msg_control = &control;
		header.msg_controllen = sizeof(control);
	}
	/* As small a part is sent whole. */
	while ((sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && !err)
		err = go_on(socket, POLLOUT, end_ns);
	return err ?: sent == sizeof(size) ? 0 : -EIO;
}

int channel_send(int socket, const struct message *message, int fd, uint64_t end_ns)
{
	int err = message->failed ? -ENOMEM : send_size(socket, message->size, fd, end_ns);

	return err ?: send_all(socket, message->bytes, message->size, end_ns);
}

static int receive_all(int socket, void *bytes, size_t size, uint64_t end_ns)
{
	size_t done = 0;
	int err = 0;

	while (done < size && !err) {
		ssize_t got = recv(socket, (char *)bytes + done, size - done, MSG_DONTWAIT);

		if (got > 0)
			done += (size_t)got;
		else
			err = got ? go_on(socket, POLLIN, end_ns) : -EPIPE;
	}
	return err;
}

static int receive_size(int socket, uint64_t *size, int *fd, uint64_t end_ns)
{
	union control control;
	struct iovec part = { size, sizeof(*size) };
	struct msghdr header = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const struct cmsghdr *found;
	ssize_t got;
	int err = 0;

	while ((got = recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC)) < 0 && !err)
		err = go_on(socket, POLLIN, end_ns);
	if (err || got <= 0)
		return err ?: -EPIPE;
	found = CMSG_FIRSTHDR(&header);
	if (found && found->cmsg_level == SOL_SOCKET && found->cmsg_type == SCM_RIGHTS &&
	    found->cmsg_len == CMSG_LEN(sizeof(*fd)))
		memcpy(fd, CMSG_DATA(found), sizeof(*fd));
	return receive_all(socket, (char *)size + got, sizeof(*size) - (size_t)got, end_ns);
}

int channel_receive(int socket, struct message *message, int *fd, uint64_t end_ns)
{
	uint64_t size = 0;
	void *room;
	int err;

	*message = (struct message){ 0 };
	*fd = -1;
	err = receive_size(socket, &size, fd, end_ns);
	if (!err && size > CHANNEL_MESSAGE_MAX)
		err = -EPROTO;
	if (!err) {
		room = message_reserve(message, size);
		err = room ? receive_all(socket, room, size, end_ns) : -ENOMEM;
	}
	if (err && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return err;
}
