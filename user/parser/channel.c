// SPDX-License-Identifier: GPL-2.0-only
/* A message is its size, with which the descriptor comes, and its bytes. */
#include "parser/channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

static int await(int socket, short events, const struct channel_wait *wait)
{
	struct pollfd fds[] = { { .fd = socket, .events = events },
				{ .fd = wait->stop_fd, .events = POLLIN } };
	uint64_t now_ns = clock_now_ns();
	struct timespec left;
	int count;

	if (now_ns >= wait->end_ns)
		return -ETIMEDOUT;
	left = (struct timespec){ (time_t)((wait->end_ns - now_ns) / 1000000000),
				  (long)((wait->end_ns - now_ns) % 1000000000) };
	count = ppoll(fds, 2, wait->end_ns == CHANNEL_FOREVER ? NULL : &left, NULL);
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	if (!count)
		return -ETIMEDOUT;
	return fds[0].revents ? 0 : -ECANCELED;
}

/* What was not done at once is done later; other errors are the end. */
static int go_on(int socket, short events, const struct channel_wait *wait)
{
	if (errno == EINTR)
		return 0;
	return errno == EAGAIN ? await(socket, events, wait) : -errno;
}

static int send_all(int socket, const void *bytes, size_t size, const struct channel_wait *wait)
{
	size_t done = 0;
	int err = 0;

	while (done < size && !err) {
		ssize_t sent =
			send(socket, (const char *)bytes + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent >= 0)
			done += (size_t)sent;
		else
			err = go_on(socket, POLLOUT, wait);
	}
	return err;
}

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(CHANNEL_FILES * sizeof(int))];
};

static size_t count_files(const int files[CHANNEL_FILES])
{
	size_t count = 0;

	while (count < CHANNEL_FILES && files[count] >= 0)
		count++;
	return count;
}

static int send_size(int socket, uint64_t size, const int files[CHANNEL_FILES],
		     const struct channel_wait *wait)
{
	union control control = { 0 };
	struct iovec part = { &size, sizeof(size) };
	struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
	size_t count = count_files(files);
	ssize_t sent;
	int err = 0;

	if (count) {
		control.header = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(count * sizeof(*files)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(&control.header), files, count * sizeof(*files));
		header.msg_control = &control;
		header.msg_controllen = CMSG_SPACE(count * sizeof(*files));
	}
	/* As small a part is sent whole. */
	while ((sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && !err)
		err = go_on(socket, POLLOUT, wait);
	if (err)
		return err;
	return sent == sizeof(size) ? 0 : -EIO;
}

int channel_send(int socket, const struct message *message, const int files[CHANNEL_FILES],
		 const struct channel_wait *wait)
{
	int err = message->failed ? -ENOMEM : send_size(socket, message->size, files, wait);

	return err ?: send_all(socket, message->bytes, message->size, wait);
}

static int receive_all(int socket, void *bytes, size_t size, const struct channel_wait *wait)
{
	size_t done = 0;
	int err = 0;

	while (done < size && !err) {
		ssize_t got = recv(socket, (char *)bytes + done, size - done, MSG_DONTWAIT);

		if (got > 0)
			done += (size_t)got;
		else
			err = got ? go_on(socket, POLLIN, wait) : -EPIPE;
	}
	return err;
}

static void take_files(struct msghdr *header, int files[CHANNEL_FILES])
{
	const struct cmsghdr *found = CMSG_FIRSTHDR(header);
	size_t size;

	if (!found || found->cmsg_level != SOL_SOCKET || found->cmsg_type != SCM_RIGHTS ||
	    found->cmsg_len < CMSG_LEN(0))
		return;
	size = found->cmsg_len - CMSG_LEN(0);
	memcpy(files, CMSG_DATA(found),
	       size < CHANNEL_FILES * sizeof(*files) ? size : CHANNEL_FILES * sizeof(*files));
}

static int receive_size(int socket, uint64_t *size, int files[CHANNEL_FILES], const struct channel_wait *wait)
{
	union control control;
	struct iovec part = { size, sizeof(*size) };
	struct msghdr header = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t got;
	int err = 0;

	while ((got = recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC)) < 0 && !err)
		err = go_on(socket, POLLIN, wait);
	if (err || got <= 0)
		return err ?: -EPIPE;
	take_files(&header, files);
	return receive_all(socket, (char *)size + got, sizeof(*size) - (size_t)got, wait);
}

int channel_receive(int socket, struct message *message, int files[CHANNEL_FILES],
		    const struct channel_wait *wait)
{
	uint64_t size = 0;
	void *room;
	int err;

	*message = (struct message){ 0 };
	for (size_t i = 0; i < CHANNEL_FILES; i++)
		files[i] = -1;
	err = receive_size(socket, &size, files, wait);
	if (!err && size > CHANNEL_MESSAGE_MAX)
		err = -EPROTO;
	if (!err) {
		room = message_reserve(message, size);
		err = room ? receive_all(socket, room, size, wait) : -ENOMEM;
	}
	for (size_t i = 0; err && i < CHANNEL_FILES; i++) {
		if (files[i] >= 0)
			close(files[i]);
		files[i] = -1;
	}
	return err;
}
