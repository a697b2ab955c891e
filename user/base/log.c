// SPDX-License-Identifier: GPL-2.0-only
/* Messages for the person at the terminal, on standard error. */
#include "base/log.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/status_line.h"

static bool log_is_verbose;

/* Notes that may still be printed: a bucket that fills with time. Others may decide how many there are. */
static struct {
	pthread_mutex_t lock;
	uint64_t filled_ns; /* CLOCK_MONOTONIC; 0: it is full */
	unsigned int left;
	unsigned long dropped; /* since the last that was printed */
} notes = { .lock = PTHREAD_MUTEX_INITIALIZER };

void log_set_verbose(bool verbose)
{
	log_is_verbose = verbose;
}

static void log_line(const char *format, va_list arguments)
{
	char message[LOG_MESSAGE_MAX], escaped[ESCAPE_FACTOR * sizeof(message)];

	vsnprintf(message, sizeof(message), format, arguments);
	status_line_clear();
	fprintf(stderr, "scaler-bpf: %s\n", escape_text(message, strlen(message), escaped));
}

void log_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	log_line(format, arguments);
	va_end(arguments);
}

/* With the lock held. Whether there is room for one more. */
static bool take_note(void)
{
	uint64_t now_ns = clock_now_ns(), more = (now_ns - notes.filled_ns) / LOG_NOTE_NS;

	if (more) {
		notes.filled_ns = now_ns;
		notes.left =
			more < LOG_NOTES_MAX - notes.left ? notes.left + (unsigned int)more : LOG_NOTES_MAX;
	}
	if (!notes.left) {
		notes.dropped++;
		return false;
	}
	notes.left--;
	return true;
}

/* With the lock held. */
static void tell_dropped(void)
{
	if (notes.dropped)
		log_error("%lu more notes came too fast to be printed", notes.dropped);
	notes.dropped = 0;
}

void log_note(const char *format, ...)
{
	va_list arguments;

	pthread_mutex_lock(&notes.lock);
	if (take_note()) {
		tell_dropped();
		va_start(arguments, format);
		log_line(format, arguments);
		va_end(arguments);
	}
	pthread_mutex_unlock(&notes.lock);
}

void log_finish(void)
{
	pthread_mutex_lock(&notes.lock);
	tell_dropped();
	pthread_mutex_unlock(&notes.lock);
}

void log_debug(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (log_is_verbose)
		log_line(format, arguments);
	va_end(arguments);
}

void log_debug_raw(const char *format, va_list arguments)
{
	if (log_is_verbose)
		vfprintf(stderr, format, arguments);
}
