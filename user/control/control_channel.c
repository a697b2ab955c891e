// SPDX-License-Identifier: GPL-2.0-only
/* Where commands to a tracer come from and acknowledgements go to. */
#include "control/control_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/parse.h"

/* How long a reader of acknowledgements is waited for. */
#define PATIENCE_MS 1000

/* The two words of a place, without its kind. Returns false if there is not one or two, or one is too long. */
static bool split(const char *words, char first[PATH_MAX], char second[PATH_MAX])
{
	size_t length = strcspn(words, ",");
	const char *rest = words[length] ? words + length + 1 : "";

	if (!length || length >= PATH_MAX || strlen(rest) >= PATH_MAX || strchr(rest, ',') ||
	    (words[length] && !*rest))
		return false;
	memcpy(first, words, length);
	first[length] = '\0';
	memcpy(second, rest, strlen(rest) + 1);
	return true;
}

static bool is_number(const char *word, int *fd)
{
	int64_t number;

	if (parse_integer(word, 0, INT_MAX, &number))
		return false;
	*fd = (int)number;
	return true;
}

bool control_channel_is_valid(const char *place)
{
	char first[PATH_MAX], second[PATH_MAX];
	int fd;

	if (!strncmp(place, "fifo:", 5))
		return split(place + 5, first, second);
	if (strncmp(place, "fd:", 3) || !split(place + 3, first, second))
		return false;
	return is_number(first, &fd) && (!*second || is_number(second, &fd));
}

static int open_fifo(const char *path, int *fd)
{
	struct stat status;

	/* For both directions: so it opens at once, and never ends. */
	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0 || fstat(*fd, &status)) {
		log_error("cannot open '%s' for --control: %s; mkfifo makes one", path, strerror(errno));
		return -1;
	}
	if (S_ISFIFO(status.st_mode))
		return 0;
	log_error("cannot use '%s' for --control: it is no FIFO; mkfifo makes one", path);
	return -1;
}

static int open_descriptor(const char *word, int *fd)
{
	if (!is_number(word, fd) || fcntl(*fd, F_SETFD, FD_CLOEXEC)) {
		log_error("cannot use descriptor %s for --control: %s", word, strerror(errno));
		*fd = -1;
		return -1;
	}
	return 0;
}

int control_channel_open(struct control_channel *channel, const char *place)
{
	char first[PATH_MAX], second[PATH_MAX];
	int (*open_word)(const char *word, int *fd);

	*channel = (struct control_channel){ .fd = -1, .ack_fd = -1 };
	if (!place)
		return 0;
	channel->is_fifo = !strncmp(place, "fifo:", 5);
	if (!split(strchr(place, ':') + 1, first, second))
		return -1;
	open_word = channel->is_fifo ? open_fifo : open_descriptor;
	if (open_word(first, &channel->fd))
		return -1;
	return *second ? open_word(second, &channel->ack_fd) : 0;
}

int control_channel_read(struct control_channel *channel)
{
	size_t room;
	char *bytes = control_text_room(&channel->text, &room);
	ssize_t count = read(channel->fd, bytes, room);

	if (count < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	control_text_add(&channel->text, (size_t)count);
	if (!count) {
		close(channel->fd);
		channel->fd = -1;
	}
	return 0;
}

/* As write(), but that a reader has gone is an error like others. */
static ssize_t write_without_signal(int fd, const char *bytes, size_t count)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe_signal, before;
	ssize_t written;

	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_signal, &before);
	written = write(fd, bytes, count);
	if (written < 0 && errno == EPIPE) {
		sigtimedwait(&pipe_signal, NULL, &at_once);
		errno = EPIPE;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return written;
}

void control_channel_acknowledge(const struct control_channel *channel, const char *reason)
{
	struct pollfd ack = { .fd = channel->ack_fd, .events = POLLOUT };
	char text[CONTROL_BYTES + 64];
	int length;

	if (reason && ack.fd < 0)
		log_note("--control: %s", reason);
	if (ack.fd < 0)
		return;
	length = reason ? snprintf(text, sizeof(text), "nack %s\n", reason) :
			  snprintf(text, sizeof(text), "ack\n");
	errno = ETIMEDOUT;
	/* With the final NUL, as perf's. */
	if (poll(&ack, 1, PATIENCE_MS) != 1 ||
	    write_without_signal(ack.fd, text, (size_t)length + 1) != length + 1)
		log_note("cannot acknowledge a command of --control: %s", strerror(errno));
}

void control_channel_close(struct control_channel *channel)
{
	if (channel->fd >= 0)
		close(channel->fd);
	if (channel->ack_fd >= 0)
		close(channel->ack_fd);
	*channel = (struct control_channel){ .fd = -1, .ack_fd = -1 };
}
