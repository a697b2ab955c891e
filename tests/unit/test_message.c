// SPDX-License-Identifier: GPL-2.0-only
/* What the tracer and its parser say to each other, also when one of them lies or is silent. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "parser/channel.h"
#include "parser/message.h"

#define SOON_NS 20000000

Test(message, what_is_put_is_got)
{
	struct message message = { 0 };
	char bytes[3];

	message_put_number(&message, UINT64_MAX);
	message_put_text(&message, "text");
	message_put_text(&message, NULL);
	message_put_text(&message, "");
	message_put(&message, "abc", 3);
	cr_expect_eq(message_get_number(&message), UINT64_MAX);
	cr_expect_str_eq(message_get_text(&message), "text");
	cr_expect_null(message_get_text(&message));
	cr_expect_str_eq(message_get_text(&message), "");
	message_get(&message, bytes, sizeof(bytes));
	cr_expect_arr_eq(bytes, "abc", 3);
	cr_expect(!message.failed);
	cr_expect_eq(message_get_number(&message), 0);
	cr_expect(message.failed);
	message_clear(&message);
}

/* Texts that are longer than the message, that have no end, or one too early, and more items than there can be. */
Test(message, lies)
{
	static const struct {
		uint64_t number;
		const char *rest;
		size_t size;
	} texts[] = {
		{ 100, "text", 5 },        { 4, "texts", 5 }, { 4, "te\0t", 5 },
		{ UINT64_MAX - 1, "", 1 }, { 4, "text", 4 },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct message message = { 0 };

		message_put_number(&message, texts[i].number);
		message_put(&message, texts[i].rest, texts[i].size);
		cr_expect_null(message_get_text(&message), "%zu", i);
		cr_expect(message.failed, "%zu", i);
		/* And what follows is nothing. */
		cr_expect_eq(message_get_number(&message), 0);
		message_clear(&message);
	}
	for (uint64_t count = 2; count; count <<= 1) {
		struct message message = { 0 };

		message_put_number(&message, count);
		message_put_number(&message, 0);
		cr_expect_eq(message_get_count(&message, sizeof(uint64_t)), 0);
		cr_expect(message.failed);
		message_clear(&message);
	}
}

static int sockets[2];

static void set_up(void)
{
	cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
}

static void tear_down(void)
{
	close(sockets[0]);
	close(sockets[1]);
}

TestSuite(channel, .init = set_up, .fini = tear_down);

static void *echo(void *unused)
{
	struct message message;
	int fd;

	while (!channel_receive(sockets[1], &message, &fd, UINT64_MAX)) {
		cr_assert_eq(channel_send(sockets[1], &message, fd, UINT64_MAX), 0);
		message_clear(&message);
		if (fd >= 0)
			close(fd);
	}
	message_clear(&message);
	return unused;
}

static bool is_same_file(int a, int b)
{
	struct stat first, second;

	return !fstat(a, &first) && !fstat(b, &second) && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

Test(channel, messages_of_all_sizes_with_files_and_without)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), fd;
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, echo, NULL), 0);
	for (size_t size = 0; size < 10000000; size = size * 3 + 1) {
		struct message sent = { 0 }, got;
		unsigned char *room = message_reserve(&sent, size);
		bool has_file = size % 2;

		for (size_t i = 0; i < size; i++)
			room[i] = (unsigned char)(i * 7);
		cr_assert_eq(channel_send(sockets[0], &sent, has_file ? file : -1, UINT64_MAX), 0);
		cr_assert_eq(channel_receive(sockets[0], &got, &fd, UINT64_MAX), 0);
		cr_assert_eq(got.size, size);
		cr_assert(!size || !memcmp(got.bytes, sent.bytes, size));
		cr_assert_eq(fd >= 0, has_file);
		cr_assert(!has_file || is_same_file(fd, file));
		if (has_file)
			close(fd);
		message_clear(&sent);
		message_clear(&got);
	}
	shutdown(sockets[0], SHUT_RDWR);
	pthread_join(thread, NULL);
	close(file);
}

/* It says nothing, or a part; it is waited for no longer than was said. */
Test(channel, silence)
{
	uint64_t size = 100, begun_ns = clock_now_ns();
	struct message message;
	int fd;

	cr_expect_eq(channel_receive(sockets[0], &message, &fd, begun_ns + SOON_NS), -ETIMEDOUT);
	message_clear(&message);
	cr_assert_eq(write(sockets[1], &size, sizeof(size)), (ssize_t)sizeof(size));
	cr_assert_eq(write(sockets[1], "part", 4), 4);
	cr_expect_eq(channel_receive(sockets[0], &message, &fd, clock_now_ns() + SOON_NS), -ETIMEDOUT);
	message_clear(&message);
	cr_expect_lt(clock_now_ns() - begun_ns, 100 * SOON_NS);
}

/* Nor is more sent than is taken. */
Test(channel, nobody_reads)
{
	struct message message = { 0 };

	cr_assert(message_reserve(&message, 10000000));
	memset(message.bytes, 0, message.size);
	cr_expect_eq(channel_send(sockets[0], &message, -1, clock_now_ns() + SOON_NS), -ETIMEDOUT);
	message_clear(&message);
}

Test(channel, gone)
{
	struct message message = { 0 };
	int fd;

	close(sockets[1]);
	message_put_number(&message, 1);
	cr_expect_eq(channel_send(sockets[0], &message, -1, UINT64_MAX), -EPIPE);
	message_clear(&message);
	cr_expect_eq(channel_receive(sockets[0], &message, &fd, UINT64_MAX), -EPIPE);
	message_clear(&message);
	sockets[1] = -1;
}

Test(channel, too_large)
{
	uint64_t size = UINT64_MAX;
	struct message message;
	int fd;

	cr_assert_eq(write(sockets[1], &size, sizeof(size)), (ssize_t)sizeof(size));
	cr_expect_eq(channel_receive(sockets[0], &message, &fd, UINT64_MAX), -EPROTO);
	message_clear(&message);
}
