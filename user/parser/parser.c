// SPDX-License-Identifier: GPL-2.0-only
/* The tracer's side: starts the process, asks it, and ends it. */
#include "parser/parser.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "parser/question.h"

/* One that died of what it was asked may have died of its age. */
#define ATTEMPTS 2

#define REAP_STEP_NS 1000000
#define REAP_STEPS   100

struct parser {
	pthread_mutex_t lock;
	struct answers *inside; /* NULL: another process answers */
	int stop_fd;
	pid_t pid;  /* 0: none runs */
	int socket; /* -1: none */
	uint32_t generation;
	bool has_said; /* why there is none */
};

int parser_open(struct parser **out, enum parser_place place, int stop_fd)
{
	struct parser *parser = calloc(1, sizeof(*parser));
	int err = parser ? 0 : -ENOMEM;

	if (!err && place == PARSER_INSIDE)
		err = answers_open(&parser->inside);
	if (err) {
		free(parser);
		return err;
	}
	pthread_mutex_init(&parser->lock, NULL);
	parser->stop_fd = stop_fd;
	parser->socket = -1;
	*out = parser;
	return 0;
}

static int spawn(struct parser *parser, int theirs)
{
	char name[] = PARSER_NAME, *arguments[] = { name, NULL }, *environment[] = { NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t all;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	posix_spawnattr_init(&attributes);
	sigfillset(&all);
	posix_spawnattr_setsigmask(&attributes, &all);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	/* First, as it may be one of the numbers below. */
	posix_spawn_file_actions_adddup2(&actions, theirs, PARSER_SOCKET);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&actions, PARSER_SOCKET + 1);
	err = posix_spawn(&parser->pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	if (err)
		parser->pid = 0;
	return -err;
}

/* One that waits for a file that does not come ends when it comes, and is left. */
static void reap(pid_t pid)
{
	const struct timespec step = { .tv_nsec = REAP_STEP_NS };

	for (int i = 0; i < REAP_STEPS && !waitpid(pid, NULL, WNOHANG); i++)
		nanosleep(&step, NULL);
}

static void end(struct parser *parser)
{
	if (parser->socket >= 0)
		close(parser->socket);
	parser->socket = -1;
	if (parser->pid) {
		kill(parser->pid, SIGKILL);
		reap(parser->pid);
	}
	parser->pid = 0;
}

/* The process says first whether it is confined. */
static int hear(struct parser *parser, const struct channel_wait *wait)
{
	int files[CHANNEL_FILES];
	struct message message;
	int err = channel_receive(parser->socket, &message, files, wait);

	if (!err)
		err = (int)message_get_number(&message);
	message_clear(&message);
	return err;
}

static int start(struct parser *parser, const struct channel_wait *wait)
{
	int ends[2], err;

	if (parser->pid)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	parser->socket = ends[0];
	err = spawn(parser, ends[1]);
	close(ends[1]);
	if (!err)
		err = hear(parser, wait);
	if (!err) {
		parser->generation++;
		return 0;
	}
	end(parser);
	if (!parser->has_said && err != -ECANCELED)
		log_note("symbols, unwind tables and code are not read, as the process for it could not be "
			 "started: %s",
			 strerror(-err));
	parser->has_said = true;
	return err == -ECANCELED ? err : -ENOSYS;
}

static int exchange(struct parser *parser, const struct message *question, const int files[CHANNEL_FILES],
		    struct message *answer, const struct channel_wait *wait)
{
	int theirs[CHANNEL_FILES];
	int err = channel_send(parser->socket, question, files, wait);

	if (err)
		return err;
	err = channel_receive(parser->socket, answer, theirs, wait);
	/* It has none to give. */
	for (size_t i = 0; !err && i < CHANNEL_FILES; i++) {
		if (theirs[i] >= 0)
			close(theirs[i]);
	}
	return err;
}

static int ask_process(struct parser *parser, const struct message *question, const int files[CHANNEL_FILES],
		       struct message *answer)
{
	const struct channel_wait wait = { clock_now_ns() + PARSER_LIMIT_NS, parser->stop_fd };
	int err = -EPIPE;

	for (int i = 0; i < ATTEMPTS && err == -EPIPE; i++) {
		message_clear(answer);
		err = start(parser, &wait);
		if (err)
			return err;
		err = exchange(parser, question, files, answer, &wait);
		/* What it still says would be the answer to the next one. */
		if (err)
			end(parser);
	}
	return err;
}

/* The errno that an answer begins with. The process's own memory ends sooner than ours: that is the file's fault. */
static int take_status(struct message *answer)
{
	int64_t status = (int64_t)message_get_number(answer);

	if (answer->failed || status > 0 || status < -4095)
		return -EPROTO;
	return status == -ENOMEM ? -EFBIG : (int)status;
}

int parser_ask(struct parser *parser, struct message *question, const int files[CHANNEL_FILES],
	       struct message *answer)
{
	int err = 0;

	*answer = (struct message){ 0 };
	if (question->failed)
		return -ENOMEM;
	pthread_mutex_lock(&parser->lock);
	if (parser->inside)
		answers_give(parser->inside, question, files, answer);
	else
		err = ask_process(parser, question, files, answer);
	pthread_mutex_unlock(&parser->lock);
	return err ?: take_status(answer);
}

uint32_t parser_generation(const struct parser *parser)
{
	return parser->generation;
}

void parser_close(struct parser *parser)
{
	if (!parser)
		return;
	end(parser);
	answers_close(parser->inside);
	pthread_mutex_destroy(&parser->lock);
	free(parser);
}
