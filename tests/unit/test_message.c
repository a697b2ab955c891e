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

static const struct channel_wait forever = { CHANNEL_FOREVER, -1 };
static const int no_files[CHANNEL_FILES] = { -1, -1 };

static struct channel_wait soon(void)
{
	return (struct channel_wait){ clock_now_ns() + SOON_NS, -1 };
}

static void close_files(const int files[CHANNEL_FILES])
{
	for (size_t i = 0; i < CHANNEL_FILES; i++) {
		if (files[i] >= 0)
			close(files[i]);
	}
}

static void *echo(void *unused)
{
	struct message message;
	int fds[CHANNEL_FILES];

	while (!channel_receive(sockets[1], &message, fds, &forever)) {
		cr_assert_eq(channel_send(sockets[1], &message, fds, &forever), 0);
		message_clear(&message);
		close_files(fds);
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
	int files[] = { open("/proc/self/exe", O_RDONLY | O_CLOEXEC),
			open("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
	int fds[CHANNEL_FILES];
	pthread_t thread;

	cr_assert_eq(pthread_create(&thread, NULL, echo, NULL), 0);
	for (size_t size = 0; size < 10000000; size = size * 3 + 1) {
		struct message sent = { 0 }, got;
		unsigned char *room = message_reserve(&sent, size);
		int sent_files[CHANNEL_FILES] = { -1, -1 };

		for (size_t i = 0; i < size; i++)
			room[i] = (unsigned char)(i * 7);
		for (size_t i = 0; i < size % (CHANNEL_FILES + 1); i++)
			sent_files[i] = files[i];
		cr_assert_eq(channel_send(sockets[0], &sent, sent_files, &forever), 0);
		cr_assert_eq(channel_receive(sockets[0], &got, fds, &forever), 0);
		cr_assert_eq(got.size, size);
		cr_assert(!size || !memcmp(got.bytes, sent.bytes, size));
		for (size_t i = 0; i < CHANNEL_FILES; i++) {
			cr_assert_eq(fds[i] >= 0, sent_files[i] >= 0);
			cr_assert(fds[i] < 0 || is_same_file(fds[i], files[i]));
		}
		close_files(fds);
		message_clear(&sent);
		message_clear(&got);
	}
	shutdown(sockets[0], SHUT_RDWR);
	pthread_join(thread, NULL);
	close_files(files);
}

/* It says nothing, or a part; it is waited for no longer than was said. */
Test(channel, silence)
{
	uint64_t size = 100, begun_ns = clock_now_ns();
	struct channel_wait wait = soon();
	struct message message;
	int fds[CHANNEL_FILES];

	cr_expect_eq(channel_receive(sockets[0], &message, fds, &wait), -ETIMEDOUT);
	message_clear(&message);
	cr_assert_eq(write(sockets[1], &size, sizeof(size)), (ssize_t)sizeof(size));
	cr_assert_eq(write(sockets[1], "part", 4), 4);
	wait = soon();
	cr_expect_eq(channel_receive(sockets[0], &message, fds, &wait), -ETIMEDOUT);
	message_clear(&message);
	cr_expect_lt(clock_now_ns() - begun_ns, 100 * SOON_NS);
}

/* Nor is more sent than is taken. */
Test(channel, nobody_reads)
{
	struct channel_wait wait = soon();
	struct message message = { 0 };

	cr_assert(message_reserve(&message, 10000000));
	memset(message.bytes, 0, message.size);
	cr_expect_eq(channel_send(sockets[0], &message, no_files, &wait), -ETIMEDOUT);
	message_clear(&message);
}

/* A signal has come, say. */
Test(channel, stopped)
{
	struct channel_wait wait = forever;
	int stop[2], fds[CHANNEL_FILES];
	struct message message;

	cr_assert_eq(pipe(stop), 0);
	cr_assert_eq(write(stop[1], "x", 1), 1);
	wait.stop_fd = stop[0];
	cr_expect_eq(channel_receive(sockets[0], &message, fds, &wait), -ECANCELED);
	message_clear(&message);
	close_files(stop);
}

Test(channel, gone)
{
	struct message message = { 0 };
	int fds[CHANNEL_FILES];

	close(sockets[1]);
	message_put_number(&message, 1);
	cr_expect_eq(channel_send(sockets[0], &message, no_files, &forever), -EPIPE);
	message_clear(&message);
	cr_expect_eq(channel_receive(sockets[0], &message, fds, &forever), -EPIPE);
	message_clear(&message);
	sockets[1] = -1;
}

Test(channel, too_large)
{
	uint64_t size = UINT64_MAX;
	struct message message;
	int fds[CHANNEL_FILES];

	cr_assert_eq(write(sockets[1], &size, sizeof(size)), (ssize_t)sizeof(size));
	cr_expect_eq(channel_receive(sockets[0], &message, fds, &forever), -EPROTO);
	message_clear(&message);
}
