// SPDX-License-Identifier: GPL-2.0-only
/* Where a recording is saved. */
#include "cmd/recording_output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/own_file.h"
#include "base/units.h"

static int explain(const struct recording_output *output, int err)
{
	if (err && output->keeps)
		log_error("cannot write the recording to '%s': %s", output->path, strerror(-err));
	else if (err)
		log_error("cannot write the recording to '%s': %s; what it has is the first %.1f s, which "
			  "scaler-bpf report can read",
			  output->path, strerror(-err), (double)(output->end_ns - output->start_ns) / 1e9);
	return err;
}

/* A descriptor of an empty file, or a negative errno after an error message. */
static int create(const char *path, int signal_fd)
{
	int fd = own_file_create(path, signal_fd);
	struct stat status;

	if (fd < 0) {
		log_error("cannot write the recording to '%s': %s", path, own_file_problem(fd));
		return fd;
	}
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return fd;
	log_error("cannot write the recording to '%s': it is no regular file, which a recording needs", path);
	close(fd);
	return -EINVAL;
}

int recording_output_open(struct recording_output *output, const char *path, const struct keep_options *keep,
			  int signal_fd)
{
	int fd = create(path, signal_fd);

	if (fd < 0)
		return fd;
	*output = (struct recording_output){
		.path = path,
		.fd = fd,
		.signal_fd = signal_fd,
		.writer = { .fd = fd },
		.kept = { .keep_ns = keep->ns, .keep_bytes = keep->bytes },
		.keeps = keep->ns || keep->bytes,
	};
	if (output->keeps)
		output->writer = (struct file_writer){ .fd = -1, .kept = &output->kept };
	return 0;
}

int recording_output_begin(struct recording_output *output, const struct recording *recording)
{
	return explain(output, file_writer_begin(&output->writer, recording));
}

int recording_output_add(struct recording_output *output, const struct profile *difference,
			 const struct marks *marks, const struct places *places, bool is_last)
{
	int err = file_writer_add(&output->writer, difference, marks, places, is_last);

	if (!err) {
		output->start_ns = difference->recording_start_ns;
		output->end_ns = difference->window.end_ns;
	}
	return explain(output, err);
}

static int sync_file(int fd, int err)
{
	if (err)
		return err;
	return fsync(fd) ? -errno : 0;
}

static void say(const struct recording_output *output, const char *path, uint64_t bytes)
{
	uint64_t from_ns = output->keeps ? kept_blocks_from_ns(&output->kept) : output->start_ns;
	char time[UNITS_SIZE], size[UNITS_SIZE];

	log_note("recorded %s in '%s' (%s); scaler-bpf report %s shows it",
		 units_format_time(from_ns ? output->end_ns - from_ns : 0, time), path,
		 units_format_size(bytes, size), path);
}

int recording_output_save(struct recording_output *output, const char *path)
{
	char numbered[PATH_MAX];
	int fd, err;

	if (!path && snprintf(numbered, sizeof(numbered), "%s.%u", output->path, output->saves + 1) >=
			     (int)sizeof(numbered))
		return explain(output, -ENAMETOOLONG);
	fd = create(path ?: numbered, output->signal_fd);
	if (fd < 0)
		return fd;
	output->saves += !path;
	err = sync_file(fd, file_writer_save(&output->kept, fd));
	close(fd);
	if (err)
		log_error("cannot write the recording to '%s': %s", path ?: numbered, strerror(-err));
	else
		say(output, path ?: numbered, output->kept.bytes);
	return err;
}

int recording_output_end(struct recording_output *output)
{
	int err = output->keeps ? file_writer_save(&output->kept, output->fd) :
				  file_writer_end(&output->writer);

	return explain(output, sync_file(output->fd, err));
}

void recording_output_say(const struct recording_output *output)
{
	say(output, output->path, output->keeps ? output->kept.bytes : output->writer.bytes);
}

void recording_output_close(struct recording_output *output)
{
	if (!output->path)
		return;
	file_writer_clear(&output->writer);
	kept_blocks_clear(&output->kept);
	close(output->fd);
	output->path = NULL;
}
