// SPDX-License-Identifier: GPL-2.0-only
/* Reads the kernel side's events while it records, in a thread of its own. */
#include "stream/event_reader.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include <scaler/blocking.h>
#include <scaler/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/priority.h"
#include "stream/rule_teacher.h"

struct event_reader {
	const struct recorder *recorder;
	struct event_watch watch;
	pthread_t thread;
	int stop_fd;          /* an eventfd; written to, it ends the thread */
	pthread_mutex_t lock; /* of all that follows */
	struct ring_buffer *ring;
	struct rule_teacher teacher; /* has the stacks */
	struct samples samples;
	struct blocking_intervals blocking; /* those that have not been read */
	int err;                            /* the first; what comes after it is not kept */
};

static int take_blocking(struct event_reader *reader, const struct scaler_blocking_event *event)
{
	if (reader->watch.take)
		reader->watch.take(reader->watch.context, &event->interval);
	return blocking_intervals_add(&reader->blocking, &event->interval,
				      event->interval.request ? &event->request : NULL);
}

static int take_event(void *context, void *data, size_t size)
{
	struct event_reader *reader = context;
	const __u32 *kind = data;
	int err = 0;

	(void)size; /* the kernel side is ours */
	switch (*kind) {
	case SCALER_EVENT_STACK:
		err = rule_teacher_take_stack(&reader->teacher, data);
		break;
	case SCALER_EVENT_STUCK:
		err = rule_teacher_take_stuck(&reader->teacher, data);
		break;
	case SCALER_EVENT_ADDRESS_SPACE:
		err = rule_teacher_take_address_space(&reader->teacher, data);
		break;
	case SCALER_EVENT_SAMPLE:
		err = samples_add(&reader->samples, &((const struct scaler_sample_event *)data)->sample, 1);
		break;
	case SCALER_EVENT_BLOCKING:
		err = take_blocking(reader, data);
		break;
	}
	reader->err = reader->err ?: err;
	return 0;
}

static void consume(struct event_reader *reader)
{
	pid_t tgid;

	ring_buffer__consume(reader->ring);
	/* What the kernel side could not tell of an address space, it may be able to tell now. */
	for (size_t left = reader->teacher.waiting.count;
	     left && rule_teacher_next_to_ask(&reader->teacher, &tgid); left--) {
		recorder_describe_process(reader->recorder, tgid);
		ring_buffer__consume(reader->ring);
	}
}

/* What the thread took, for those who ask for it. */
static void tell_cost(const struct event_reader *reader)
{
	log_debug("%zu unwind rules and %zu stacks were learned in %.1f ms of CPU time",
		  reader->teacher.rules.rule_count, reader->teacher.stacks.count,
		  (double)clock_thread_cpu_ns() / 1e6);
}

static void *follow(void *context)
{
	struct event_reader *reader = context;
	struct pollfd fds[] = {
		{ .fd = reader->stop_fd, .events = POLLIN },
		{ .fd = ring_buffer__epoll_fd(reader->ring), .events = POLLIN },
	};

	/* Stacks cannot wait: what is not learned is sent again and again, until the ring buffer is full. */
	priority_raise();
	while (!fds[0].revents) {
		if (poll(fds, 2, -1) < 0)
			continue;
		pthread_mutex_lock(&reader->lock);
		consume(reader);
		pthread_mutex_unlock(&reader->lock);
	}
	tell_cost(reader);
	return NULL;
}

static void free_reader(struct event_reader *reader)
{
	ring_buffer__free(reader->ring);
	rule_teacher_close(&reader->teacher);
	samples_clear(&reader->samples);
	blocking_intervals_clear(&reader->blocking);
	if (reader->stop_fd >= 0)
		close(reader->stop_fd);
	pthread_mutex_destroy(&reader->lock);
	free(reader);
}

int event_reader_start(struct event_reader **result, const struct recorder *recorder,
		       struct scaler_stack_depth depth, const struct event_watch *watch, int signal_fd)
{
	struct event_reader *reader = calloc(1, sizeof(*reader));
	int err;

	if (!reader)
		return -ENOMEM;
	err = rule_teacher_open(&reader->teacher, recorder, depth, signal_fd);
	reader->recorder = recorder;
	reader->watch = *watch;
	pthread_mutex_init(&reader->lock, NULL);
	reader->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (!err && reader->stop_fd < 0)
		err = -errno;
	reader->ring = ring_buffer__new(recorder_event_fd(recorder), take_event, reader, NULL);
	if (!err && !reader->ring)
		err = -errno;
	if (!err)
		err = -pthread_create(&reader->thread, NULL, follow, reader);
	if (err)
		free_reader(reader);
	else
		*result = reader;
	return err;
}

void event_reader_meet_process(struct event_reader *reader, pid_t pid)
{
	recorder_describe_process(reader->recorder, pid);
	pthread_mutex_lock(&reader->lock);
	consume(reader);
	pthread_mutex_unlock(&reader->lock);
}

int event_reader_read(struct event_reader *reader, struct stacks *stacks, struct samples *samples,
		      struct blocking_intervals *blocking)
{
	const struct samples none = { 0 };
	int err;

	pthread_mutex_lock(&reader->lock);
	consume(reader);
	err = reader->err ?: rule_teacher_finish(&reader->teacher);
	err = err ?: stacks_copy(stacks, &reader->teacher.stacks);
	err = err ?: samples_since(samples, &none, &reader->samples);
	err = err ?: blocking_intervals_move(blocking, &reader->blocking);
	/* As losses are counted: since the recording began. */
	reader->blocking.dropped = blocking->dropped;
	pthread_mutex_unlock(&reader->lock);
	return err;
}

int event_reader_take_intervals(struct event_reader *reader, size_t least,
				struct blocking_intervals *blocking)
{
	int err;

	pthread_mutex_lock(&reader->lock);
	consume(reader);
	err = reader->err;
	if (!err && reader->blocking.count >= least) {
		*blocking = reader->blocking;
		reader->blocking = (struct blocking_intervals){ .dropped = blocking->dropped };
	}
	pthread_mutex_unlock(&reader->lock);
	return err;
}

struct held_files *event_reader_files(struct event_reader *reader)
{
	return reader ? &reader->teacher.files : NULL;
}

void event_reader_stop(struct event_reader *reader)
{
	if (!reader)
		return;
	eventfd_write(reader->stop_fd, 1);
	pthread_join(reader->thread, NULL);
	free_reader(reader);
}
