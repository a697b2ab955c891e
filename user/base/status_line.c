// SPDX-License-Identifier: GPL-2.0-only
/* One line at the bottom of a terminal that says what goes on. */
#include "base/status_line.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"

#define MESSAGE_MAX 512

/* Of a terminal that does not say. */
#define WIDTH_DEFAULT 80

static struct {
	pthread_mutex_t lock;
	bool is_on;
	bool is_shown;
} status = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Of a window that is not there anymore, or that somebody has stopped, there is no room, and no waiting for it. */
static bool write_all(const char *bytes, size_t size)
{
	struct pollfd fd = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents == POLLOUT &&
	       write(STDERR_FILENO, bytes, size) == (ssize_t)size;
}

/* To the beginning of the line, and nothing is left behind that: ECMA-48, EL. */
#define BEGIN "\r\033[K"

static void take_away(void)
{
	if (status.is_shown)
		write_all(BEGIN, strlen(BEGIN));
	status.is_shown = false;
}

bool status_line_begin(void)
{
	const char *terminal = getenv("TERM");
	bool is_on = isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb");

	pthread_mutex_lock(&status.lock);
	status.is_on = is_on;
	pthread_mutex_unlock(&status.lock);
	return is_on;
}

/* The last column stays free: what is behind it would be on a line that is not taken away. */
static size_t find_room(void)
{
	struct winsize size;

	return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col - 1U : WIDTH_DEFAULT - 1;
}

static void show(const char *message)
{
	char line[sizeof(BEGIN) + (size_t)ESCAPE_FACTOR * MESSAGE_MAX + 1] = BEGIN;
	size_t begin = strlen(BEGIN), room = find_room(), length;

	escape_text(message, strlen(message), line + begin);
	length = strlen(line + begin);
	status.is_shown |= write_all(line, begin + (length < room ? length : room));
}

void status_line_show(const char *format, ...)
{
	char message[MESSAGE_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	pthread_mutex_lock(&status.lock);
	if (status.is_on)
		show(message);
	pthread_mutex_unlock(&status.lock);
}

void status_line_clear(void)
{
	pthread_mutex_lock(&status.lock);
	take_away();
	pthread_mutex_unlock(&status.lock);
}

void status_line_end(void)
{
	pthread_mutex_lock(&status.lock);
	take_away();
	status.is_on = false;
	pthread_mutex_unlock(&status.lock);
}
