// SPDX-License-Identifier: GPL-2.0-only
/* A message is its size, with which the descriptors come, and its bytes. There is never more than one under way. */
#include "parser/channel.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"

/* What is under way when the signal comes still comes within that. */
#define GRACE_NS 200000000

static struct timespec time_left(uint64_t end_ns, uint64_t now_ns)
{
	uint64_t left_ns = now_ns < end_ns ? end_ns - now_ns : 0;

	return (struct timespec){ (time_t)(left_ns / 1000000000), (long)(left_ns % 1000000000) };
}

static int await(int socket, short events, const struct channel_wait *wait)
{
	struct pollfd fds[] = { { .fd = socket, .events = events },
				{ .fd = wait->stop_fd, .events = POLLIN } };
	bool forever = wait->end_ns == CHANNEL_FOREVER;
	struct timespec left = time_left(wait->end_ns, forever ? 0 : clock_now_ns());
	int count = ppoll(fds, 2, forever ? NULL : &left, NULL);

	if (count > 0 && !fds[0].revents) {
		left = (struct timespec){ .tv_nsec = GRACE_NS };
		count = ppoll(fds, 1, &left, NULL);
		if (!count)
			return -ECANCELED;
	}
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	return count ? 0 : -ETIMEDOUT;
}

/* What was not done at once is done later; other errors are the end. */
static int go_on(int socket, short events, const struct channel_wait *wait)
{
	if (errno == EINTR)
		return 0;
	if (errno == ECONNRESET)
		return -EPIPE;
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

static void put_files(struct msghdr *header, union control *control, const int files[CHANNEL_FILES])
{
	size_t bytes = count_files(files) * sizeof(*files);

	if (!bytes)
		return;
	*control = (union control){
		.header = {
			.cmsg_len = CMSG_LEN(bytes),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		},
	};
	memcpy(CMSG_DATA(&control->header), files, bytes);
	header->msg_control = control;
	header->msg_controllen = CMSG_SPACE(bytes);
}

int channel_send(int socket, const struct message *message, const int files[CHANNEL_FILES],
		 const struct channel_wait *wait)
{
	uint64_t size = message->size;
	struct iovec parts[] = { { &size, sizeof(size) }, { message->bytes, message->size } };
	struct msghdr header = { .msg_iov = parts, .msg_iovlen = ARRAY_SIZE(parts) };
	union control control;
	ssize_t sent;
	int err = 0;

	if (message->failed)
		return -ENOMEM;
	put_files(&header, &control, files);
	while ((sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && !err)
		err = go_on(socket, POLLOUT, wait);
	if (err)
		return err;
	/* As small a part is sent whole. */
	if (sent < (ssize_t)sizeof(size))
		return -EIO;
	sent -= (ssize_t)sizeof(size);
	return send_all(socket, message->bytes + sent, message->size - (size_t)sent, wait);
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

/* What comes at once: most messages are no longer. */
struct beginning {
	uint64_t size; /* of the message */
	char bytes[4096];
	size_t count;
};

static int receive_beginning(int socket, struct beginning *beginning, int files[CHANNEL_FILES],
			     const struct channel_wait *wait)
{
	union control control;
	struct iovec parts[] = { { &beginning->size, sizeof(beginning->size) },
				 { beginning->bytes, sizeof(beginning->bytes) } };
	struct msghdr header = {
		.msg_iov = parts,
		.msg_iovlen = ARRAY_SIZE(parts),
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	int err = await(socket, POLLIN, wait);
	ssize_t got;

	while (!err && (got = recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC)) < 0)
		err = go_on(socket, POLLIN, wait);
	if (err)
		return err;
	take_files(&header, files);
	if (got < (ssize_t)sizeof(beginning->size))
		return got ? -EPROTO : -EPIPE;
	beginning->count = (size_t)got - sizeof(beginning->size);
	return beginning->size > CHANNEL_MESSAGE_MAX || beginning->count > beginning->size ? -EPROTO : 0;
}

static int receive_rest(int socket, struct message *message, const struct beginning *beginning,
			const struct channel_wait *wait)
{
	char *room = message_reserve(message, beginning->size);

	if (!room)
		return -ENOMEM;
	memcpy(room, beginning->bytes, beginning->count);
	return receive_all(socket, room + beginning->count, beginning->size - beginning->count, wait);
}

int channel_receive(int socket, struct message *message, int files[CHANNEL_FILES],
		    const struct channel_wait *wait)
{
	struct beginning beginning;
	int err;

	*message = (struct message){ 0 };
	for (size_t i = 0; i < CHANNEL_FILES; i++)
		files[i] = -1;
	err = receive_beginning(socket, &beginning, files, wait);
	if (!err)
		err = receive_rest(socket, message, &beginning, wait);
	for (size_t i = 0; err && i < CHANNEL_FILES; i++) {
		if (files[i] >= 0)
			close(files[i]);
		files[i] = -1;
	}
	return err;
}
