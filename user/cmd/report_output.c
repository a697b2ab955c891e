// SPDX-License-Identifier: GPL-2.0-only
/* Where reports are written to, in writes that do not wait for a reader longer than a signal lets them. */
#include "cmd/report_output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/report_options.h"
#include "base/log.h"
#include "base/own_file.h"
#include "base/parse.h"
#include "base/status_line.h"

/* How long a reader is waited for once there is a signal. */
#define PATIENCE_MS 1000

/* Of lines; less than that no table has room in. */
#define WIDTH_LEAST 40

/* Waits until it takes PIPE_BUF bytes. Returns 0 or a negative errno; -ECANCELED: a signal has come, and no reader. */
static int await_reader(const struct report_output *output)
{
	struct pollfd fds[] = {
		{ .fd = output->fd, .events = POLLOUT },
		{ .fd = output->signal_fd, .events = POLLIN },
	};
	bool has_signal = false;

	while (!fds[0].revents) {
		int count = poll(fds, 2, has_signal ? PATIENCE_MS : -1);

		if (count < 0 && errno != EINTR)
			return -errno;
		if (!count)
			return -ECANCELED;
		has_signal |= count > 0 && fds[1].revents;
		if (has_signal)
			fds[1].fd = -1;
	}
	return 0;
}

/* All of it, as is asked of a stream's function, or less after an error. Nothing is tried again: each piece would wait. */
static ssize_t write_pieces(void *cookie, const char *bytes, size_t size)
{
	struct report_output *output = cookie;
	size_t done = 0;
	ssize_t written;

	status_line_clear();
	while (done < size && !output->error) {
		size_t piece = size - done < PIPE_BUF ? size - done : PIPE_BUF;

		output->error = -await_reader(output);
		if (output->error)
			break;
		written = write(output->fd, bytes + done, piece);
		if (written >= 0)
			done += (size_t)written;
		else if (errno != EINTR && errno != EAGAIN)
			output->error = errno;
	}
	errno = output->error;
	return (ssize_t)done;
}

int report_output_open(struct report_output *output, const char *path, int fd, int signal_fd)
{
	const cookie_io_functions_t functions = { .write = write_pieces };

	*output = (struct report_output){ .path = path, .fd = fd, .signal_fd = signal_fd };
	if (path)
		output->fd = own_file_create(path, signal_fd);
	if (output->fd < 0) {
		log_error("cannot write the report to '%s': %s", path, own_file_problem(output->fd));
		return -1;
	}
	output->file = fopencookie(output, "w", functions);
	if (output->file)
		return 0;
	log_error("cannot write the report to '%s': %s", path ?: "the standard output", strerror(errno));
	if (path)
		close(output->fd);
	return -1;
}

size_t report_output_width(const struct report_output *output)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	int64_t width;

	if (!ioctl(output->fd, TIOCGWINSZ, &size) && size.ws_col >= WIDTH_LEAST)
		return size.ws_col;
	if (columns && !parse_integer(columns, WIDTH_LEAST, REPORT_WIDTH_ALL, &width))
		return (size_t)width;
	return REPORT_WIDTH_DEFAULT;
}

int report_output_flush(struct report_output *output)
{
	if (!output->error && (fflush(output->file) || ferror(output->file)))
		output->error = errno;
	return -output->error;
}

int report_output_close(struct report_output *output)
{
	const char *path = output->path;

	report_output_flush(output);
	fclose(output->file);
	output->file = NULL;
	if (path && close(output->fd) && !output->error)
		output->error = errno;
	if (!output->error)
		return 0;
	log_error("cannot write the report%s%s: %s", path ? " to " : "", path ?: "",
		  output->error == ECANCELED ? "its reader has stopped to read, and a signal has come" :
					       strerror(output->error));
	return -1;
}
