// SPDX-License-Identifier: GPL-2.0-only
/* The file that a recording is saved in. */
#include "cmd/recording_output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/own_file.h"
#include "base/units.h"

static int explain(const struct recording_output *output, int err)
{
	if (!err)
		return 0;
	log_error("cannot write the recording to '%s': %s; what it has is the first %.1f s, which scaler-bpf "
		  "report can read",
		  output->path, strerror(-err), (double)output->saved_ns / 1e9);
	return err;
}

int recording_output_open(struct recording_output *output, const char *path, int signal_fd)
{
	int fd = own_file_create(path, signal_fd);
	struct stat status;

	*output = (struct recording_output){ .path = path, .writer = { .fd = fd } };
	if (fd < 0) {
		log_error("cannot write the recording to '%s': %s", path, own_file_problem(fd));
		return fd;
	}
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return 0;
	log_error("cannot write the recording to '%s': it is no regular file, which a recording needs", path);
	return -EINVAL;
}

int recording_output_begin(struct recording_output *output, const struct recording *recording)
{
	return explain(output, file_writer_begin(&output->writer, recording));
}

int recording_output_add(struct recording_output *output, const struct profile *difference,
			 const struct places *places, bool is_last)
{
	int err = file_writer_add(&output->writer, difference, places, is_last);

	if (!err)
		output->saved_ns = difference->window.end_ns - difference->recording_start_ns;
	return explain(output, err);
}

int recording_output_end(struct recording_output *output)
{
	int err = file_writer_end(&output->writer);

	if (!err && fsync(output->writer.fd))
		err = -errno;
	return explain(output, err);
}

void recording_output_say(const struct recording_output *output)
{
	char time[UNITS_SIZE], size[UNITS_SIZE];

	log_note("recorded %s in '%s' (%s); scaler-bpf report %s shows it",
		 units_format_time(output->saved_ns, time), output->path,
		 units_format_size(output->writer.bytes, size), output->path);
}

void recording_output_close(struct recording_output *output)
{
	int fd = output->writer.fd;

	if (!output->path)
		return;
	file_writer_clear(&output->writer);
	if (fd >= 0)
		close(fd);
}
